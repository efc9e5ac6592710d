package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.cosmos.document.DeletionDocument;
import io.sluice.provider.cosmos.request.Call;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks the deciding document about a member that was met, and helps. */
final class Meetings {
    private final DeletionRecords records;
    private final MemberRemoval removal;

    Meetings(DeletionRecords records, MemberRemoval removal) {
        this.records = records;
        this.removal = removal;
    }

    Meeting meet(Call call, String instanceId, @Nullable String lockToken) {
        Optional<DeletionDocument.Name> name = DeletionDocument.Name.in(lockToken);
        if (name.isEmpty()) {
            return Meeting.FREE;
        }
        DeletionDocument deletion = records.judged(call, name.get()).document();
        return switch (deletion.state()) {
            case OPEN -> Meeting.BUSY;
            case ABORTED -> Meeting.FREE;
            case COMMITTED -> {
                carryOut(call, deletion, instanceId);
                yield Meeting.GONE;
            }
        };
    }

    private void carryOut(Call call, DeletionDocument committed, String member) {
        // The home goes last, for its document is what the others are judged by.
        if (member.equals(committed.home())) {
            removal.removeAll(call, committed);
        } else {
            removal.remove(call, committed, member);
        }
    }
}
