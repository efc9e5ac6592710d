package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.ProviderException;
import io.sluice.provider.document.DeletionDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import java.util.Collection;

/** Removes what aborted deletions left behind: locks and the deciding document. Thread-safe. */
final class AbortedDeletions {
    private final DeletionRecords records;
    private final MemberLocks locks;
    private final MembersAtOnce atOnce;

    AbortedDeletions(DeletionRecords records, MemberLocks locks, MembersAtOnce atOnce) {
        this.atOnce = atOnce;
        this.records = records;
        this.locks = locks;
    }

    /**
     * Unlocks the members, and removes the document.
     *
     * @throws ProviderException retryable when the store is away; any process can tidy up later
     */
    void tidyUp(Call call, Stored<DeletionDocument> aborted) {
        tidyUp(call, aborted, aborted.document().members());
    }

    /** The same where it is known that no other member was ever to be locked. */
    void tidyUp(Call call, Stored<DeletionDocument> aborted, Collection<String> locked) {
        DeletionDocument deletion = aborted.document();
        atOnce.forEach(call, locked, (own, member) -> locks.unlock(own, deletion.token(), member));
        if (!aborted.etag().isEmpty()) {
            records.remove(call.again(), aborted);
        }
    }
}
