package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.document.DeletionDocument;
import io.sluice.provider.request.Call;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the deciding document of a deletion when one of its members is found, and carries out a committed deletion. */
final class DeletionHelp {
    private final DeletionRecords records;
    private final MemberRemoval removal;

    DeletionHelp(DeletionRecords records, MemberRemoval removal) {
        this.records = records;
        this.removal = removal;
    }

    DeletionState help(Call call, String instanceId, @Nullable String lockToken) {
        Optional<DeletionDocument.Name> name = DeletionDocument.Name.in(lockToken);
        if (name.isEmpty()) {
            return DeletionState.FREE;
        }
        DeletionDocument deletion = records.resolve(call, name.get()).document();
        return switch (deletion.state()) {
            case OPEN -> DeletionState.UNDECIDED;
            case ABORTED -> DeletionState.FREE;
            case COMMITTED -> {
                carryOut(call, deletion, instanceId);
                yield DeletionState.REMOVED;
            }
        };
    }

    private void carryOut(Call call, DeletionDocument committed, String member) {
        // The home goes last, since its partition has the deciding document.
        if (member.equals(committed.home())) {
            removal.removeAll(call, committed);
        } else {
            removal.remove(call, committed, member);
        }
    }
}
