package io.sluice.provider.cosmos.candidate;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/** The last 20 000 messages and activities that were handled. Guarded by its owner's lock. */
final class RecentDocuments {
    private static final int MOST = 20_000;

    private final Set<Object> known = new LinkedHashSet<>();

    /**
     * An id alone names no message for ever: what an outbox delivers has the id of its intent, and an instance that was
     * deleted and started again sends under the same ids.
     */
    private record Handled(String id, long enqueuedAt) {}

    /** An activity that is abandoned, or whose lock lapses, has another version and is announced again. */
    private record Version(String id, String etag) {}

    void addAll(Collection<QueueDocument> more) {
        more.forEach(message -> known.add(new Handled(message.id(), message.enqueuedAt())));
        forgetOldest();
    }

    void addVersion(Stored<QueueDocument> activity) {
        known.add(new Version(activity.document().id(), activity.etag()));
        forgetOldest();
    }

    private void forgetOldest() {
        while (known.size() > MOST) {
            known.remove(known.iterator().next());
        }
    }

    boolean contains(AnnouncedDocument message) {
        return known.contains(new Handled(message.id(), message.enqueuedAt()))
                || known.contains(new Version(message.id(), message.etag()));
    }
}
