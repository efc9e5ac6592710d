package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.document.DeletionDocument;
import io.sluice.provider.request.Call;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the deciding document of a deletion when one of its members is found, and carries out a committed deletion. */
final class DeletionHelp {
    private final DeletionRecords records;
    private final UnreadableDeletions unreadable;
    private final MemberRemoval removal;

    DeletionHelp(DeletionRecords records, UnreadableDeletions unreadable, MemberRemoval removal) {
        this.records = records;
        this.unreadable = unreadable;
        this.removal = removal;
    }

    DeletionState help(Call call, String instanceId, @Nullable String lockToken) {
        Optional<DeletionDocument.Name> name = DeletionDocument.Name.in(lockToken);
        return name.isEmpty()
                ? DeletionState.FREE
                : carryOut(call, instanceId, records.resolve(call, name.get()).document());
    }

    /** The same for one of many: an instance whose deletion can't be read is held by it. */
    DeletionState helpIfReadable(Call call, String instanceId, @Nullable String lockToken) {
        Optional<DeletionDocument.Name> name = DeletionDocument.Name.in(lockToken);
        if (name.isEmpty()) {
            return DeletionState.FREE;
        }
        return UnreadableDeletions.passOver(name.get(), () -> records.resolve(call, name.get()))
                .map(deletion -> carryOut(call, instanceId, deletion.document()))
                .orElse(DeletionState.UNDECIDED);
    }

    /** The same; a deletion whose document nobody can read is given up. */
    DeletionState helpByForce(Call call, String instanceId, @Nullable String lockToken) {
        DeletionDocument.Name.in(lockToken).ifPresent(name -> unreadable.giveUp(call, name));
        return help(call, instanceId, lockToken);
    }

    private DeletionState carryOut(Call call, String instanceId, DeletionDocument deletion) {
        return switch (deletion.state()) {
            case OPEN -> DeletionState.UNDECIDED;
            case ABORTED -> DeletionState.FREE;
            case COMMITTED -> {
                remove(call, deletion, instanceId);
                yield DeletionState.REMOVED;
            }
        };
    }

    private void remove(Call call, DeletionDocument committed, String member) {
        // The home goes last, since its partition has the deciding document.
        if (member.equals(committed.home())) {
            removal.removeAll(call, committed);
        } else {
            removal.remove(call, committed, member);
        }
    }
}
