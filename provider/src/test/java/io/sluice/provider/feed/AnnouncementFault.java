package io.sluice.provider.feed;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkQueue;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;

/** What becomes of announcements on their way. Used by one thread at a time. */
@FunctionalInterface
public interface AnnouncementFault {
    /** None. */
    AnnouncementFault NONE = work -> work;

    /** The announcements that arrive in place of these. */
    List<AnnouncedWork> strike(List<AnnouncedWork> work);

    /** First this fault, then another. */
    default AnnouncementFault and(AnnouncementFault other) {
        return work -> other.strike(strike(work));
    }

    /** One announcement of so many is lost. */
    static AnnouncementFault losing(long seed, int oneIn) {
        Random random = new Random(seed);
        return work -> work.stream().filter(each -> random.nextInt(oneIn) > 0).toList();
    }

    /** One announcement of so many comes once more, with a later batch. */
    static AnnouncementFault repeating(long seed, int oneIn) {
        Random random = new Random(seed);
        List<AnnouncedWork> again = new ArrayList<>();
        return work -> {
            List<AnnouncedWork> all = new ArrayList<>(work);
            all.addAll(again);
            again.clear();
            work.stream().filter(each -> random.nextInt(oneIn) == 0).forEach(again::add);
            return all;
        };
    }

    /** Everything waits for the next batch but one, every other time. */
    static AnnouncementFault late(long seed) {
        Random random = new Random(seed);
        List<AnnouncedWork> waiting = new ArrayList<>();
        return work -> {
            waiting.addAll(work);
            if (random.nextBoolean()) {
                return List.of();
            }
            List<AnnouncedWork> all = List.copyOf(waiting);
            waiting.clear();
            return all;
        };
    }

    /** Instances in any order; the announcements of each in theirs. */
    static AnnouncementFault reordering(long seed) {
        Random random = new Random(seed);
        return work -> {
            Map<String, List<AnnouncedWork>> byInstance = new LinkedHashMap<>();
            work.forEach(each -> byInstance
                    .computeIfAbsent(each.instanceId(), instance -> new ArrayList<>())
                    .add(each));
            List<List<AnnouncedWork>> groups = new ArrayList<>(byInstance.values());
            Collections.shuffle(groups, random);
            return groups.stream().flatMap(List::stream).toList();
        };
    }

    /** No message is announced that is not visible yet, and all that is announced is said to be all there is. */
    static AnnouncementFault withoutTimers(InstantSource clock) {
        return work -> work.stream()
                .filter(each -> each.queue() == WorkQueue.ACTIVITIES || isVisible(each, clock.millis()))
                .map(each -> each.queue() == WorkQueue.ACTIVITIES
                        ? each
                        : new AnnouncedWork(
                                each.queue(),
                                Announcement.of(
                                        each.instanceId(),
                                        Long.MAX_VALUE,
                                        each.announcement().documents())))
                .toList();
    }

    private static boolean isVisible(AnnouncedWork work, long nowMillis) {
        return work.announcement().documents().stream().allMatch(document -> document.visibleAt() <= nowMillis);
    }

    /** Lies between the announcements: wrong versions, documents that do not exist, documents of other instances. */
    static AnnouncementFault lying(long seed) {
        Random random = new Random(seed);
        return work -> {
            List<AnnouncedWork> all = new ArrayList<>();
            for (AnnouncedWork each : work) {
                if (random.nextBoolean()) {
                    all.add(lie(each, work, random));
                }
                all.add(each);
            }
            return all;
        };
    }

    private static AnnouncedWork lie(AnnouncedWork truth, List<AnnouncedWork> work, Random random) {
        Announcement told = truth.announcement();
        AnnouncedWork other = work.get(random.nextInt(work.size()));
        Announcement lie = switch (random.nextInt(4)) {
            case 0 ->
                with(
                        told,
                        document -> changed(document, document.id(), document.kind(), "\"" + random.nextInt() + "\""));
            case 1 ->
                with(told, document -> changed(document, "none-" + random.nextInt(), document.kind(), document.etag()));
            case 2 -> Announcement.of("nobody-" + random.nextInt(), told.horizon(), told.documents());
            default ->
                Announcement.of(
                        told.instanceId(), told.horizon(), other.announcement().documents());
        };
        return new AnnouncedWork(truth.queue(), lie);
    }

    private static Announcement with(Announcement told, UnaryOperator<AnnouncedDocument> change) {
        return Announcement.of(
                told.instanceId(),
                told.horizon(),
                told.documents().stream().map(change).toList());
    }

    /** A lie about a document. */
    static AnnouncedDocument changed(AnnouncedDocument document, String id, String kind, String etag) {
        return new AnnouncedDocument(
                id,
                kind,
                document.workItemLength(),
                document.visibleAt(),
                document.enqueuedAt(),
                document.lockedUntil(),
                document.attemptCount(),
                etag,
                document.executionId(),
                document.activityId(),
                document.sessionId(),
                document.tag(),
                document.orchestration());
    }
}
