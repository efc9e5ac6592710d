package io.sluice.provider.cosmos.work;

import io.sluice.provider.announcement.AnnouncedDocument;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one announcement, one page of a search or one write of this process says of an instance or activity, and what
 * becomes due of it at one time.
 *
 * @param key of the entry: the instance's id, or the id of the activity's document
 * @param documents empty for "look at this instance"
 * @param dueAt from when on it may be taken (milliseconds)
 * @param completeUntil until this time (milliseconds) the instance has no other documents than those that were
 *     announced; 0 where it may have others
 * @param token the session token of the answer that had the documents: a read by a replica that is so far shows them,
 *     unless they were consumed; empty for a write of this process, whose reads show it anyway; null where there is
 *     none
 * @param hasStart whether a start of the instance is among the documents
 */
public record KnownWork(
        String key,
        String instanceId,
        List<AnnouncedDocument> documents,
        WorkNeeds needs,
        long dueAt,
        long completeUntil,
        @Nullable String token,
        boolean hasStart) {
    /** What becomes due after it is not announced ahead by any relay. */
    public static final Duration LONGEST_HORIZON = Duration.ofMinutes(2);

    public KnownWork {
        documents = List.copyOf(documents);
    }

    /** That an instance has to be looked at. */
    public static KnownWork look(String instanceId, long dueAt, @Nullable String token) {
        return new KnownWork(instanceId, instanceId, List.of(), WorkNeeds.UNKNOWN, dueAt, 0, token, false);
    }

    /** Whether it tells of all that there is. */
    public boolean isComplete() {
        return completeUntil > 0;
    }

    public KnownWork withNeeds(WorkNeeds newNeeds) {
        return new KnownWork(key, instanceId, documents, newNeeds, dueAt, completeUntil, token, hasStart);
    }

    public KnownWork withToken(@Nullable String newToken) {
        return new KnownWork(key, instanceId, documents, needs, dueAt, completeUntil, newToken, hasStart);
    }

    /** The same, due at another time, by which it may have more documents. */
    public KnownWork dueAgainAt(long newDueAt) {
        return new KnownWork(key, instanceId, documents, needs, newDueAt, 0, token, hasStart);
    }
}
