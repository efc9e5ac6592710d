package io.sluice.provider.cosmos.candidate;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.document.QueueDocument;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a candidate by one announcement, and due at one time.
 *
 * @param key of the candidate
 * @param documents empty when they have to be looked for
 * @param completeUntil until this time (milliseconds) the candidate has no documents but those that were announced; 0
 *     where it may have others, so that the store has to be asked
 */
record AnnouncedWork(
        String key, String instanceId, List<AnnouncedDocument> documents, long completeUntil, Settlement settlement) {
    AnnouncedWork {
        documents = List.copyOf(documents);
    }

    /**
     * That the instance has to be looked at, since this process has put a message into its queue.
     *
     * @param message null where it is not known
     */
    static AnnouncedWork own(String instanceId, @Nullable QueueDocument message) {
        List<AnnouncedDocument> documents =
                message == null ? List.of() : List.of(AnnouncedDocument.named(message.id(), message.enqueuedAt()));
        return new AnnouncedWork(instanceId, instanceId, documents, 0, Settlement.ofOwn());
    }

    /** Whether others say as much: an announcement has come for the message that this process put into the queue. */
    boolean isCoveredBy(Collection<AnnouncedWork> others) {
        return settlement.isOwn()
                && !documents.isEmpty()
                && others.stream()
                        .filter(other -> !other.settlement().isOwn())
                        .flatMap(other -> other.documents().stream())
                        .anyMatch(document ->
                                document.id().equals(documents.get(0).id()));
    }

    /** Whether any free worker, of whatever process, may take it. */
    boolean isForAnyWorker() {
        return !settlement.isOwn() && documents.stream().allMatch(document -> document.sessionId() == null);
    }

    /** Whether its documents were announced, and are not to be looked for. */
    boolean isWithDocuments() {
        return completeUntil > 0 && !documents.isEmpty();
    }

    /** The first of them, and those that say the same: a wrong or outdated one must not spoil the try of another. */
    static List<AnnouncedWork> likeFirst(List<AnnouncedWork> works) {
        AnnouncedWork first = works.get(0);
        return works.stream()
                .filter(work -> work.instanceId().equals(first.instanceId())
                        && work.documents().equals(first.documents()))
                .toList();
    }

    /** The same, to be looked for. */
    AnnouncedWork toLookFor() {
        return new AnnouncedWork(key, instanceId, documents, 0, settlement);
    }
}
