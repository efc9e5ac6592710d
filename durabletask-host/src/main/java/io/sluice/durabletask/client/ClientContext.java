package io.sluice.durabletask.client;

import io.sluice.provider.EarlyMessages;
import io.sluice.provider.InstanceQueries;
import io.sluice.provider.InstanceStarts;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderAdmin;
import java.time.InstantSource;

/**
 * What the operations of clients share.
 *
 * @param clock for the times of what clients cause
 */
public record ClientContext(
        Provider provider,
        ProviderAdmin admin,
        InstanceStarts starts,
        EarlyMessages earlyMessages,
        InstanceQueries queries,
        InstantSource clock) {}
