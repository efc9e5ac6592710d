package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.cosmos.work.DocumentKey;
import io.sluice.provider.cosmos.work.WorkOutcome;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The documents that this process consumed last: what is still announced of them, or found, is nothing new. */
final class RecentlyConsumed {
    private static final int MOST = 20_000;
    private final Set<DocumentKey> documents = new LinkedHashSet<>();
    private final Deque<Shown> shown = new ArrayDeque<>();

    private record Shown(String id, long untilMillis) {}

    void addAll(WorkOutcome.Done done) {
        documents.addAll(done.consumed());
        if (done.shownUntilMillis() > 0) {
            done.consumed().forEach(document -> shown.add(new Shown(document.id(), done.shownUntilMillis())));
        }
        var oldest = documents.iterator();
        while (documents.size() > MOST) {
            oldest.next();
            oldest.remove();
        }
        while (shown.size() > MOST) {
            shown.removeFirst();
        }
    }

    boolean contains(DocumentKey document) {
        return documents.contains(document);
    }

    /** Ids of those that a replica may still show. */
    List<String> shownIds(long nowMillis) {
        shown.removeIf(document -> document.untilMillis() <= nowMillis);
        return shown.stream().map(Shown::id).toList();
    }
}
