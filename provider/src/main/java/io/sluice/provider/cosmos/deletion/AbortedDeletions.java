package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.ProviderException;
import io.sluice.provider.document.DeletionDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;

/** Removes what aborted deletions left behind: locks and the deciding document. Thread-safe. */
final class AbortedDeletions {
    private final DeletionRecords records;
    private final MemberLocks locks;

    AbortedDeletions(DeletionRecords records, MemberLocks locks) {
        this.records = records;
        this.locks = locks;
    }

    /**
     * Unlocks the members, and removes the document.
     *
     * @throws ProviderException retryable when the store is away; any process can tidy up later
     */
    void tidyUp(Call call, Stored<DeletionDocument> aborted) {
        DeletionDocument deletion = aborted.document();
        for (String member : deletion.members()) {
            locks.unlock(call, deletion.token(), member);
        }
        if (!aborted.etag().isEmpty()) {
            records.remove(call, aborted);
        }
    }
}
