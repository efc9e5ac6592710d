package io.sluice.relay.feed;

import java.time.Duration;

/**
 * What a read of the feed may take.
 *
 * @param documents the most to ask for, 1 or more; a transactional batch is not cut, and the service answers with 4 MB
 *     at most even so
 * @param patience how long to wait for the answer; what comes later is dropped
 */
public record ReadLimit(int documents, Duration patience) {}
