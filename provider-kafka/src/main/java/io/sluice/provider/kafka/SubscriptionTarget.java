package io.sluice.provider.kafka;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.MalformedAnnouncementException;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.announcement.WorkStore;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What a provider subscribed to, and where the announcements go. Thread-safe. */
record SubscriptionTarget(
        WorkStore store, WorkQueue queue, String filter, WorkFeed.Listener listener, FeedMeters meters) {
    private static final String SESSIONS = "sessions:";

    /** Whether its process owns sessions, whose activities a share group would give to any process. */
    boolean ownsSessions() {
        return queue == WorkQueue.ACTIVITIES && filter.startsWith(SESSIONS);
    }

    /** Empty for a record that is none; it is counted. */
    Optional<Announcement> read(ConsumerRecord<byte[], byte[]> message) {
        try {
            return Optional.of(Announcement.fromJson(message.value()));
        } catch (MalformedAnnouncementException e) {
            meters.malformed(message, e);
            return Optional.empty();
        }
    }

    /**
     * Whether members of its share group may run it: not an activity for other filters, whose groups hear of it, nor
     * one of a session, whose owner reads the topic without a group. Requests for help are judged by the provider.
     */
    boolean isForGroup(Announcement announcement) {
        return queue == WorkQueue.TURNS || (!isOfSession(announcement) && listener.isForFilter(announcement));
    }

    /** Whether only the owner of a session may run it. */
    static boolean isOfSession(Announcement announcement) {
        return announcement.documents().stream()
                .map(AnnouncedDocument::sessionId)
                .anyMatch(Objects::nonNull);
    }

    /** Whether an owner of sessions has to hear of it: one that names nothing may be of a session. */
    static boolean mayBeOfSession(Announcement announcement) {
        return announcement.isCheck() || isOfSession(announcement);
    }

    void announce(Announcement announcement, WorkFeed.Receipt receipt) {
        meters.announced(queue);
        listener.announced(announcement, receipt);
    }

    void askForHelp(Announcement announcement, WorkFeed.Receipt receipt) {
        meters.helpAsked();
        listener.helpAsked(announcement, receipt);
    }

    /** Announcements may be lost. */
    void lost() {
        meters.gap(queue);
        listener.lost();
    }
}
