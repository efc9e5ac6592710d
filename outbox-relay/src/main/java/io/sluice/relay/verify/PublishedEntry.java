package io.sluice.relay.verify;

import io.sluice.relay.event.EventId;
import org.jspecify.annotations.Nullable;

/**
 * A record of the history topic.
 *
 * @param instance whose history it belongs to
 * @param event null if it is the record of a deletion
 * @param ceId the record's {@code ce_id}
 * @param value of the record
 */
record PublishedEntry(
        int partition,
        long offset,
        String instance,
        @Nullable EventId event,
        String ceId,
        Digest value) {}
