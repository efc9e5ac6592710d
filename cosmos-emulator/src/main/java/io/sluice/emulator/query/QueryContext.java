package io.sluice.emulator.query;

import io.sluice.emulator.query.function.Aggregate;
import io.sluice.emulator.query.tree.Expression;
import io.sluice.emulator.query.tree.Invocation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The state of reading one query: the names it may use, and the aggregates found so far. */
final class QueryContext {
    private final @Nullable QueryContext outer;
    private final boolean readsContainer;
    private final Set<String> aliases = new HashSet<>();
    private final List<Invocation.AggregateCall> aggregates = new ArrayList<>();
    private boolean aggregatesAllowed;

    private QueryContext(@Nullable QueryContext outer, boolean readsContainer) {
        this.outer = outer;
        this.readsContainer = readsContainer;
    }

    static QueryContext outermost() {
        return new QueryContext(null, true);
    }

    /** The context of a query within an expression or a later input: it sees the names around it. */
    QueryContext nested() {
        return new QueryContext(this, false);
    }

    /** The context of a query that is the first input of FROM: it stands where the container would. */
    QueryContext firstInput() {
        return new QueryContext(outer, readsContainer);
    }

    /** True where the first name of FROM is the container, whatever it is called. */
    boolean readsContainer() {
        return readsContainer;
    }

    boolean isNested() {
        return outer != null || !readsContainer;
    }

    /** False when the alias is taken already. */
    boolean declare(String alias) {
        return aliases.add(alias);
    }

    boolean isVisible(String name) {
        for (QueryContext context = this; context != null; context = context.outer) {
            if (context.aliases.contains(name)) {
                return true;
            }
        }
        return false;
    }

    void allowAggregates(boolean allowed) {
        aggregatesAllowed = allowed;
    }

    boolean aggregatesAllowed() {
        return aggregatesAllowed;
    }

    Invocation.AggregateCall aggregate(Aggregate aggregate, Expression argument) {
        Invocation.AggregateCall call = new Invocation.AggregateCall(aggregate, argument, aggregates.size());
        aggregates.add(call);
        return call;
    }

    List<Invocation.AggregateCall> aggregates() {
        return aggregates;
    }
}
