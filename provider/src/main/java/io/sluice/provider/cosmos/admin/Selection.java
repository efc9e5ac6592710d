package io.sluice.provider.cosmos.admin;

import io.sluice.provider.InstanceFilter;
import io.sluice.provider.cosmos.document.InstanceDocument;
import io.sluice.provider.cosmos.request.Call;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Chooses instances for bulk operations, the oldest first. */
final class Selection {
    private final Heads heads;
    private final Executions executions;

    Selection(Heads heads, Executions executions) {
        this.heads = heads;
        this.executions = executions;
    }

    /** Instances that match the filter and the predicate, as many as the filter's limit allows. */
    List<InstanceDocument> select(Call call, InstanceFilter filter, Predicate<InstanceDocument> also) {
        int limit = filter.effectiveLimit();
        List<String> ids = filter.instanceIds();
        List<InstanceDocument> candidates = new ArrayList<>(ids == null ? heads.all(call) : heads.among(call, ids));
        Collections.reverse(candidates);
        List<InstanceDocument> chosen = new ArrayList<>();
        for (InstanceDocument candidate : candidates) {
            if (chosen.size() >= limit) {
                break;
            }
            if (also.test(candidate) && isCompletedBefore(call, candidate, filter.completedBeforeMillis())) {
                chosen.add(candidate);
            }
        }
        return chosen;
    }

    private boolean isCompletedBefore(Call call, InstanceDocument head, @Nullable Long limit) {
        if (limit == null) {
            return true;
        }
        if (head.status().equals(InstanceDocument.RUNNING)) {
            return false;
        }
        // Its last change is no earlier than its end; only what was touched later needs its history looked at.
        return head.updatedAt() < limit || executions.endedAt(call, head) < limit;
    }
}
