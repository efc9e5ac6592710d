package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.document.DeletionDocument;
import io.sluice.provider.document.DeletionDocument.Name;
import io.sluice.provider.document.DeletionDocument.State;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Tells which of some instances exist no more, since their deletion was committed, and carries nothing out. It costs
 * one point read for each deletion that holds any of them, and none where none does. Not thread-safe.
 */
public final class CommittedDeletions {
    private final DeletionRecords records;
    private final Call call;
    private final Map<Name, Boolean> committed = new HashMap<>();

    CommittedDeletions(DeletionRecords records, Call call) {
        this.records = records;
        this.call = call;
    }

    /**
     * Finds out whether the instance exists no more. One whose deletion is open, was aborted or was forgotten exists,
     * and so does one whose deletion can't be read.
     *
     * @throws io.sluice.provider.ProviderException retryable when that can't be read
     */
    public boolean checkGone(InstanceDocument instance) {
        return Name.in(instance.lockToken())
                .filter(name -> committed.computeIfAbsent(name, this::readWhetherCommitted))
                .isPresent();
    }

    private boolean readWhetherCommitted(Name name) {
        Optional<Stored<DeletionDocument>> deletion = UnreadableDeletions.passOver(name, () -> records.read(call, name))
                .orElse(Optional.empty());
        return deletion.filter(found -> found.document().state() == State.COMMITTED)
                .isPresent();
    }
}
