package io.sluice.relay.dispatch;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.announcement.Pulse;
import io.sluice.provider.announcement.WorkStore;
import io.sluice.relay.dispatch.DispatchMeters.Source;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.history.RangeAnnouncers.Announced;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The work of one range, as long as this replica publishes its history. Pages of the feed, lookaheads, held activities
 * and pulses each come from a thread of their own.
 */
final class RangeWork {
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

    /** Begins to announce a page of the feed. */
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
        var sent = send(turns, activities);
        return () -> {
            sent.awaitTaken();
            sender.meters().announced(Source.FEED, turns.size(), activities.size());
            lag.read(page, now);
        };
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
