package io.sluice.provider.cosmos.work;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/** The documents that this process consumed last: what is still announced of them, or found, is nothing new. */
final class RecentlyConsumed {
    private static final int MOST = 20_000;

    private final Set<DocumentKey> documents = new LinkedHashSet<>();

    void addAll(Collection<DocumentKey> consumed) {
        documents.addAll(consumed);
        var oldest = documents.iterator();
        while (documents.size() > MOST) {
            oldest.next();
            oldest.remove();
        }
    }

    boolean contains(DocumentKey document) {
        return documents.contains(document);
    }
}
