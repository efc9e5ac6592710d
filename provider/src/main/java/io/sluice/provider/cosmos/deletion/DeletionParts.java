package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.cosmos.purge.HistoryGate;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.staged.TurnFinisher;
import io.sluice.provider.outbox.IntentOutbox;
import java.time.InstantSource;

/** What the steps of a deletion share. */
record DeletionParts(
        ContainerRequests requests,
        DeletionRecords records,
        MemberLocks locks,
        MemberRemoval removal,
        Meetings meetings,
        Offspring offspring,
        TurnFinisher finisher,
        IntentOutbox outbox,
        HistoryGate gate,
        InstantSource clock) {}
