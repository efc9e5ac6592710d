package io.sluice.relay.dispatch;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.program.FailureReason;
import io.sluice.provider.announcement.Pulse;
import io.sluice.provider.announcement.WorkStore;
import io.sluice.relay.dispatch.DispatchMeters.Source;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.history.RangeAnnouncers.Announced;
import io.sluice.relay.log.LogKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of one range, as long as this replica publishes its history. Pages of the feed, lookaheads, held activities
 * and pulses each come from a thread of their own.
 */
final class RangeWork {
    private static final Logger LOG = LoggerFactory.getLogger(RangeWork.class);

    /** Each takes about a kilobyte. */
    static final int MOST_HELD = 5_000;

    /** Of held activities that are sent together. */
    private static final int MOST_SENT = 500;

    /** A publisher that reads nothing for so long is paused, or can't read. */
    private static final long MOST_SILENCE_MILLIS = 5_000;

    private final Identity identity;
    private final Sender sender;
    private final Horizon horizon;
    private final Runnable onHeld;
    private final HeldActivities held = new HeldActivities(MOST_HELD);
    private final FeedLag lag = new FeedLag();
    private final DroppedWork dropped;
    private volatile Runnable onDropped = () -> {};

    /**
     * Which range.
     *
     * @param store the container that it is a range of
     * @param bounds its part of the key space
     * @param intervalMillis the longest interval between two reads of its feed
     */
    record Identity(WorkStore store, KeyRange bounds, long intervalMillis) {}

    /** By what records are made, sent and counted. */
    record Sender(AnnouncementRecords records, AnnouncementProducer producer, DispatchMeters meters) {}

    /** @param onHeld runs when activities were held, the first of which may be due soon */
    RangeWork(Identity identity, Sender sender, Horizon horizon, Runnable onHeld) {
        this.identity = identity;
        this.sender = sender;
        this.horizon = horizon;
        this.onHeld = onHeld;
        this.dropped = new DroppedWork(horizon);
    }

    /** @param listener runs when work was dropped for the first time since Kafka took some */
    void onDropped(Runnable listener) {
        onDropped = listener;
    }

    /** Short, for people. */
    String name() {
        return identity.bounds().name();
    }

    Horizon horizon() {
        return horizon;
    }

    int held() {
        return held.size();
    }

    /** When the first held activity is due. */
    long nextAt() {
        return held.nextAt();
    }

    /**
     * Begins to announce a page of the feed. What Kafka does not take is dropped, and no failure of Kafka is thrown: an
     * announcement is a hint, and the history of the page need not wait for it.
     */
    Announced announce(FeedPage page, long now) throws InterruptedException {
        var work = FoundWork.in(page.documents(), page.sessionToken());
        // In this order: what is declared is never further than what the feed announces.
        long declared = horizon.declared();
        long until = horizon.announcedUntil();
        var extent = new AnnouncementRecords.Extent(declared, page.sessionToken());
        var turns = sender.records().turns(work.messagesBefore(until, now), extent);
        var activities = sender.records().activities(work.activitiesDue(now), declared);
        held.forget(work.activityIds());
        hold(work.activitiesVisibleBefore(until, now));
        var announced = new AnnouncedPage(page, now, turns, activities);
        announced.send();
        return announced;
    }

    /** A page on its way to Kafka. Used by one thread. */
    private final class AnnouncedPage implements Announced {
        private final FeedPage page;
        private final long readAt;
        private final List<ProducerRecord<byte[], byte[]>> turns;
        private final List<ProducerRecord<byte[], byte[]>> activities;
        private @Nullable Announced sent;

        AnnouncedPage(
                FeedPage page,
                long readAt,
                List<ProducerRecord<byte[], byte[]>> turns,
                List<ProducerRecord<byte[], byte[]>> activities) {
            this.page = page;
            this.readAt = readAt;
            this.turns = turns;
            this.activities = activities;
        }

        void send() throws InterruptedException {
            if (!turns.isEmpty() || !activities.isEmpty()) {
                if (dropped.isRefused()) {
                    sender.meters().failed(Source.FEED);
                    dropped.dropFurther(readAt);
                    lag.read(page, readAt);
                    return;
                }
                try {
                    sent = RangeWork.this.send(turns, activities);
                    return;
                } catch (KafkaException e) {
                    drop(e);
                    return;
                }
            }
            sent = () -> {};
        }

        @Override
        public void awaitTaken() throws InterruptedException {
            var awaited = sent;
            sent = null;
            if (awaited != null) {
                try {
                    awaited.awaitTaken();
                    sender.meters().announced(Source.FEED, turns.size(), activities.size());
                    lag.read(page, readAt);
                } catch (KafkaException e) {
                    drop(e);
                }
            }
        }

        private void drop(KafkaException failure) {
            sender.meters().failed(Source.FEED);
            boolean isFirst = dropped.drop(trial(failure), readAt, FailureReason.of(failure));
            lag.read(page, readAt);
            if (isFirst) {
                LOG.atWarn()
                        .addKeyValue(LogKeys.RANGE, name())
                        .addKeyValue(LogKeys.REASON, FailureReason.of(failure))
                        .log("Kafka does not take announcements of work, history is published without them and runtimes"
                                + " query the store until it does");
                onDropped.run();
            }
        }

        /** What was refused, as its partition may be the only sick one; else one record of each kind. */
        private List<ProducerRecord<byte[], byte[]>> trial(KafkaException failure) {
            if (failure instanceof RefusedAnnouncementException refused) {
                var announcement = refused.announcement();
                return turns.contains(announcement) ? checks(List.of(announcement)) : List.of(announcement);
            }
            return Stream.concat(
                            checks(turns.stream().limit(1).toList()).stream(),
                            activities.stream().limit(1))
                    .toList();
        }

        private List<ProducerRecord<byte[], byte[]>> checks(List<ProducerRecord<byte[], byte[]>> announcements) {
            return sender.records()
                    .checks(announcements.stream()
                            .map(turn -> new String(turn.key(), UTF_8))
                            .toList());
        }
    }

    /**
     * Finds out whether Kafka takes announcements again after some were dropped.
     *
     * @throws KafkaException when it does not
     */
    void tryDropped() throws InterruptedException {
        var trial = dropped.trial();
        if (!trial.isEmpty()) {
            sender.producer().sendAndAwait(trial);
            dropped.taken();
            LOG.atInfo().addKeyValue(LogKeys.RANGE, name()).log("Kafka takes announcements of work again");
        }
    }

    /** Why work was dropped, until a look at all that is overdue has announced it. */
    Optional<String> problem() {
        return dropped.problem();
    }

    /** Announces rows of a lookahead, and returns when Kafka has taken them. */
    void announceFound(List<JsonNode> rows, long now) throws InterruptedException {
        var work = FoundWork.in(rows);
        hold(work.activitiesAfter(now));
        // Nothing is believed of what a lookahead finds: it is in no order, and not whole.
        var turns = new ArrayList<>(sender.records().checks(work.instancesDue(now)));
        turns.addAll(sender.records().turns(work.messagesAfter(now), AnnouncementRecords.Extent.UNKNOWN));
        var activities = sender.records().activities(work.activitiesDue(now), 0);
        send(turns, activities).awaitTaken();
        sender.meters().announced(Source.LOOKAHEAD, turns.size(), activities.size());
    }

    /** Announces held activities that are due. */
    void announceDue(long now) throws InterruptedException {
        while (held.nextAt() <= now) {
            var due = held.takeDue(now, MOST_SENT);
            boolean taken = false;
            try {
                var activities = sender.records().activities(due, 0);
                sender.producer().sendAndAwait(activities);
                sender.meters().announced(Source.HELD, 0, activities.size());
                taken = true;
            } finally {
                if (!taken) {
                    leaveOut(held.holdAgain(due));
                }
            }
        }
    }

    /** What its pulse says; nothing while the range is not announced, or not covered by a lookahead. */
    Optional<Pulse> pulse(long now) {
        if (lag.silenceMillis(now) > MOST_SILENCE_MILLIS || horizon.declared() <= now) {
            return Optional.empty();
        }
        long lagMillis = lag.take(now, identity.intervalMillis());
        var bounds = identity.bounds();
        return Optional.of(Pulse.of(identity.store(), bounds.min(), bounds.max(), now, lagMillis, horizon.declared()));
    }

    private Announced send(List<ProducerRecord<byte[], byte[]>> turns, List<ProducerRecord<byte[], byte[]>> activities)
            throws InterruptedException {
        var records = new ArrayList<>(turns);
        records.addAll(activities);
        return sender.producer().send(records);
    }

    private void hold(List<FoundWork.Activity> activities) {
        if (activities.isEmpty()) {
            return;
        }
        leaveOut(held.hold(activities));
        onHeld.run();
    }

    private void leaveOut(long fromMillis) {
        if (fromMillis != HeldActivities.NEVER) {
            horizon.leaveOut(fromMillis);
        }
    }
}
