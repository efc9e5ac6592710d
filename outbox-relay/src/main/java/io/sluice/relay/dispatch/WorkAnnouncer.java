package io.sluice.relay.dispatch;

import com.azure.cosmos.CosmosAsyncContainer;
import io.sluice.program.FailureReason;
import io.sluice.provider.announcement.WorkStore;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.dispatch.DispatchMeters.Source;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.history.RangeAnnouncers;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.Loop;
import io.sluice.relay.topic.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announces work: what the change feed shows, what becomes visible or whose lock expires soon, and what this relay has
 * delivered itself; and that it does so, by a pulse. An announcement is a hint. What it promises, and what would be
 * weaker, is in {@code docs/protocols/dispatch.md}. One that is not enabled does nothing. Thread-safe.
 */
public final class WorkAnnouncer implements RangeAnnouncers, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkAnnouncer.class);
    private static final long PULSE_MILLIS = 2_000;
    private static final Duration REST_AFTER_FAILURE = Duration.ofSeconds(1);
    private static final double MILLIS = 1_000;

    private final boolean isEnabled;
    private final WorkStore store;
    private final RangeWork.Sender sender;
    private final LookaheadQuery query;
    private final Lookahead.Rhythm rhythm;
    private final Duration feedInterval;
    private final OwnDeliveries own;
    private final Loop timer;
    private final Set<RangeWork> ranges = ConcurrentHashMap.newKeySet();
    private long pulsedAtNanos = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(PULSE_MILLIS);

    /**
     * Connects nowhere yet.
     *
     * @param clock the store's time
     */
    public WorkAnnouncer(
            Kafka kafka, Feed feed, RelayConfig.Dispatch config, DispatchMeters meters, InstantSource clock) {
        this.isEnabled = config.enabled();
        this.store = feed.store();
        var topics = kafka.topics();
        var producer = new AnnouncementProducer(
                () -> kafka.access().announcing(topics.workTurns(), topics.workActivities(), topics.workPulse()));
        this.sender = new RangeWork.Sender(new AnnouncementRecords(topics), producer, meters);
        this.query = new LookaheadQuery(feed.container());
        this.rhythm = new Lookahead.Rhythm(config.lookaheadInterval(), clock);
        this.feedInterval = config.feedInterval();
        this.own = new OwnDeliveries(sender.records(), producer, meters);
        this.timer = new Loop("sluice-announce-timed", this::step, Duration.ofSeconds(1));
        meters.register(
                this::horizonSeconds,
                () -> ranges.stream().mapToInt(RangeWork::held).sum());
    }

    /** Where announcements go. */
    public record Kafka(KafkaAccess access, Topics topics) {}

    /**
     * Whose work is announced.
     *
     * @param store how pulses name it
     * @param container queried by lookaheads
     */
    public record Feed(WorkStore store, CosmosAsyncContainer container) {}

    /** Begins to send what is due, and pulses. */
    public void start() {
        if (isEnabled) {
            own.start();
            timer.start();
        }
    }

    /** The ranges whose work was not announced, as Kafka does not take it, and why. */
    public List<String> problems() {
        return ranges.stream()
                .flatMap(work -> work.problem().stream()
                        .map(reason -> "range " + work.name()
                                + ": its work is not announced, runtimes query the store: " + reason))
                .sorted()
                .toList();
    }

    /** This relay has delivered a message to an instance; returns at once. */
    public void delivered(String instance) {
        if (isEnabled) {
            own.delivered(instance);
        }
    }

    @Override
    public Announcer begin(KeyRange bounds) {
        if (!isEnabled) {
            return NONE.begin(bounds);
        }
        var work = new RangeWork(
                new RangeWork.Identity(store, bounds, feedInterval.toMillis()),
                sender,
                new Horizon(rhythm.windowMillis()),
                timer::wakeUp);
        var lookAhead = new Lookahead(work, bounds, query, sender.meters(), rhythm);
        ranges.add(work);
        lookAhead.start();
        return new RangeAnnouncer(work, lookAhead);
    }

    private final class RangeAnnouncer implements Announcer {
        private final RangeWork work;
        private final Lookahead lookAhead;

        RangeAnnouncer(RangeWork work, Lookahead lookAhead) {
            this.work = work;
            this.lookAhead = lookAhead;
        }

        @Override
        public Announced announce(FeedPage page) throws InterruptedException {
            return work.announce(page, rhythm.clock().millis());
        }

        @Override
        public void close() {
            ranges.remove(work);
            lookAhead.close();
        }
    }

    /** Announces held activities that are due, and pulses. */
    private Duration step() throws InterruptedException {
        boolean failed = false;
        for (var work : ranges) {
            failed |= !announceDue(work);
        }
        if (System.nanoTime() - pulsedAtNanos >= TimeUnit.MILLISECONDS.toNanos(PULSE_MILLIS)) {
            pulsedAtNanos = System.nanoTime();
            pulse();
        }
        return failed ? REST_AFTER_FAILURE : untilNext();
    }

    private boolean announceDue(RangeWork work) throws InterruptedException {
        try {
            work.announceDue(rhythm.clock().millis());
            return true;
        } catch (KafkaException e) {
            sender.meters().failed(Source.HELD);
            LOG.atWarn()
                    .addKeyValue(LogKeys.RANGE, work.name())
                    .addKeyValue(LogKeys.REASON, FailureReason.of(e))
                    .log("activities that are due could not be announced, will try again");
            return false;
        }
    }

    private void pulse() throws InterruptedException {
        for (var work : ranges) {
            var pulse = work.pulse(rhythm.clock().millis());
            if (pulse.isPresent()) {
                sender.producer().sendUnawaited(sender.records().pulse(pulse.get()), (where, failure) -> {
                    if (failure != null) {
                        sender.meters().failed(Source.PULSE);
                    }
                });
            }
        }
    }

    private Duration untilNext() {
        long pulseIn = PULSE_MILLIS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - pulsedAtNanos);
        long now = rhythm.clock().millis();
        long workIn = ranges.stream()
                .mapToLong(RangeWork::nextAt)
                .map(at -> at == HeldActivities.NEVER ? PULSE_MILLIS : at - now)
                .min()
                .orElse(PULSE_MILLIS);
        return Duration.ofMillis(Math.max(1, Math.min(pulseIn, workIn)));
    }

    private double horizonSeconds() {
        long now = rhythm.clock().millis();
        return ranges.stream()
                .mapToLong(work -> work.horizon().declared())
                .mapToDouble(declared -> declared == 0 ? 0 : (declared - now) / MILLIS)
                .min()
                .orElse(Double.NaN);
    }

    /** Ends after the intake and the publishers, whose last announcements it still sends. */
    @Override
    public void close() {
        timer.close();
        own.close();
        sender.producer().close();
    }
}
