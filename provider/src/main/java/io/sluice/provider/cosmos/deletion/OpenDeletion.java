package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.document.DeletionDocument;
import io.sluice.provider.document.DeletionDocument.State;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A deletion of this process that is not decided, and its deadline, which is put off as long as the attempt proceeds.
 * Thread-safe.
 */
final class OpenDeletion {
    private final DeletionRecords records;
    private final Call call;
    private final ReentrantLock renewing = new ReentrantLock();
    private volatile Stored<DeletionDocument> known;

    OpenDeletion(DeletionRecords records, Call call, Stored<DeletionDocument> created) {
        this.records = records;
        this.call = call;
        this.known = created;
    }

    /** The document as this process knows it; its deadline may be later by a request whose answer was lost. */
    Stored<DeletionDocument> known() {
        return known;
    }

    String token() {
        return known.document().token();
    }

    /** Children before their parents. */
    List<String> members() {
        return known.document().members();
    }

    /**
     * Notes that something was done that brings the decision nearer. Once a third of the time for it is over, the
     * deadline is put off: by one request of one thread. The others go on meanwhile, unless the deadline is over: then
     * they wait to hear whether there is anything left to do.
     *
     * @throws DeletionAbortedException when another process has aborted the deletion
     * @throws io.sluice.provider.ProviderException retryable when the deadline can't be put off
     */
    void proceeded() {
        requireOpen();
        if (records.isDueForRenewal(known.document()) && tryToBeTheOne()) {
            try {
                if (records.isDueForRenewal(known.document())) {
                    known = records.renew(call.again(), known);
                }
            } finally {
                renewing.unlock();
            }
            requireOpen();
        }
    }

    /**
     * Notes that something has to be tried again. Past the deadline, reads whether another process has aborted the
     * deletion.
     *
     * @throws DeletionAbortedException when it has
     * @throws io.sluice.provider.ProviderException retryable when that can't be read
     */
    void requireOpenWhenOverdue() {
        if (records.isOverdue(known.document()) && renewing.tryLock()) {
            try {
                known = records.readAgain(call.again(), known);
            } finally {
                renewing.unlock();
            }
        }
        requireOpen();
    }

    private boolean tryToBeTheOne() {
        if (!records.isOverdue(known.document())) {
            return renewing.tryLock();
        }
        renewing.lock();
        return true;
    }

    private void requireOpen() {
        DeletionDocument now = known.document();
        if (now.state() != State.OPEN) {
            throw new DeletionAbortedException(now.uuid());
        }
    }
}
