package io.sluice.provider.cosmos.staged;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.StagedCommit;
import io.sluice.provider.document.StagedTry;
import io.sluice.provider.document.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a read of a partition showed of staged turns.
 *
 * @param commit of a turn whose parts are not all applied; null when there is none
 * @param tries that put parts in place; without a commit of theirs, and once their lock is lost, they are rubbish
 */
public record Unfinished(@Nullable Stored<StagedCommit> commit, List<Stored<StagedTry>> tries) {
    /** Nothing. */
    public static final Unfinished NOTHING = new Unfinished(null, List.of());

    /** The condition that selects these documents in a query, without the parts themselves, which are heavy. */
    public static final String CONDITION = "(c.type = 'staged' AND c.kind IN ('try', 'commit'))";

    public Unfinished {
        tries = List.copyOf(tries);
    }

    /** The commit document, if there is one. */
    public Optional<Stored<StagedCommit>> stored() {
        return Optional.ofNullable(commit);
    }

    /** Picks them out of a query's rows. */
    public static Unfinished of(List<ObjectNode> rows) {
        @Nullable Stored<StagedCommit> commit = null;
        List<Stored<StagedTry>> tries = new ArrayList<>();
        for (ObjectNode row : rows) {
            if (StagedCommit.is(row)) {
                commit = new Stored<>(StagedCommit.fromJson(row), DocumentJson.etag(row));
            } else if (StagedTry.is(row)) {
                tries.add(new Stored<>(StagedTry.fromJson(row), DocumentJson.etag(row)));
            }
        }
        return commit == null && tries.isEmpty() ? NOTHING : new Unfinished(commit, tries);
    }
}
