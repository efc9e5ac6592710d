package io.sluice.relay.streams;

import io.sluice.client.lifecycle.Fact;
import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.client.lifecycle.InstanceStatus.State;
import io.sluice.client.lifecycle.LifecycleEvent;
import io.sluice.client.lifecycle.StuckInstance;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.relay.ops.LogKeys;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the instances of one partition: keeps what is known of each, tells facts and states, and looks for those that are silent.
 *
 * <p>Silence is counted from when an event was read here, not from when it was made: a relay that was away for a day must
 * not call everything stuck before it has read on.
 */
final class InstanceProcessor implements Processor<String, byte[], String, Told> {
    private static final Logger LOG = LoggerFactory.getLogger(InstanceProcessor.class);
    /** Looking takes the partition's thread, so a look takes some and leaves the others to the next. */
    private static final int STUCK_AT_A_LOOK = 1_000;
    /** A partition of which nothing came for so long has no backlog. */
    private static final Duration QUIET = Duration.ofSeconds(30);

    private final Insight.Settings settings;
    private final HistoryJumps jumps;
    private final InsightStreams.Notices notices;
    private @Nullable ProcessorContext<String, Told> context;
    private @Nullable InstanceStates states;
    private @Nullable Housekeeping housekeeping;
    private @Nullable JumpCount jumpCount;
    private long lastReadMillis;
    private long lastMadeMillis;

    /** @param jumps of all partitions */
    InstanceProcessor(Insight.Settings settings, HistoryJumps jumps, InsightStreams.Notices notices) {
        this.settings = settings;
        this.jumps = jumps;
        this.notices = notices;
    }

    @Override
    public void init(ProcessorContext<String, Told> taskContext) {
        context = taskContext;
        KeyValueStore<String, Tracked> instances = taskContext.getStateStore(Insight.INSTANCES);
        KeyValueStore<Bytes, byte[]> byTime = taskContext.getStateStore(Insight.SILENCE);
        states = new InstanceStates(instances, byTime);
        jumpCount = new JumpCount(byTime);
        housekeeping = new Housekeeping(
                states, new StateWalk(instances, byTime), jumpCount, settings.retention(), new Found());
        lastReadMillis = taskContext.currentSystemTimeMs();
        taskContext.schedule(quarter(settings.stuckAfter()), PunctuationType.WALL_CLOCK_TIME, this::look);
        taskContext.schedule(Housekeeping.INTERVAL, PunctuationType.WALL_CLOCK_TIME, this::tidy);
    }

    private static Duration quarter(Duration time) {
        var quarter = time.dividedBy(4);
        return quarter.compareTo(Duration.ofMinutes(1)) > 0 ? Duration.ofMinutes(1) : quarter;
    }

    @Override
    public void process(Record<String, byte[]> read) {
        context()
                .recordMetadata()
                .filter(place -> jumps.takeAt(place.partition(), place.offset()))
                .ifPresent(place -> jumped());
        lastReadMillis = context().currentSystemTimeMs();
        lastMadeMillis = read.timestamp();
        if (read.key() == null) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.TOPIC, "history")
                    .log("a record without a key tells of nobody, left alone");
            return;
        }
        var record = HistoryRecord.of(read.headers(), read.value());
        if (record.isDeletion()) {
            deleted(read.key(), record, read);
        } else {
            record.event()
                    .filter(event -> isOf(read.key(), event))
                    .ifPresentOrElse(
                            event -> happened(read.key(), event, record, read.timestamp()),
                            () -> moved(read.key(), read.timestamp()));
        }
    }

    /** Relays publish no others any more; a topic may have some of before. */
    private static boolean isOf(String instance, HistoryEvent event) {
        boolean same = event.instanceId().equals(instance);
        if (!same) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.INSTANCE, instance)
                    .addKeyValue("names", event.instanceId())
                    .log("an event names another instance than its key, it tells nothing");
        }
        return same;
    }

    private void happened(String instance, HistoryEvent event, HistoryRecord record, long timestamp) {
        var before = states().get(instance);
        var step = Tracking.take(before, event, initialised(jumpCount).count());
        keep(instance, before, step.after(), timestamp);
        var status = step.after().status();
        var moment = new Moment(event.eventId(), Instant.ofEpochMilli(event.timestampMillis()));
        for (Fact fact : step.facts()) {
            tell(instance, timestamp, told(instance, record, status, moment, fact));
        }
        if (before == null || !status.equals(before.status())) {
            tell(instance, timestamp, new Told.Status(status));
        }
    }

    /** An event that can't be read is a sign of life all the same. */
    private void moved(String instance, long timestamp) {
        var before = states().get(instance);
        if (before != null) {
            keep(instance, before, before, timestamp);
        }
    }

    private void keep(String instance, @Nullable Tracked before, Tracked after, long timestamp) {
        takeBackStuck(instance, before, timestamp);
        states().put(instance, before, after.heardAt(heardMillis(after)));
    }

    /** Timers that an ended instance leaves behind delay nothing. */
    private long heardMillis(Tracked after) {
        return after.status().state() == State.RUNNING
                ? Math.max(lastReadMillis, after.sleepsUntilMillis())
                : lastReadMillis;
    }

    private void deleted(String instance, HistoryRecord record, Record<String, byte[]> read) {
        long timestamp = read.timestamp();
        var before = states().remove(instance);
        takeBackStuck(instance, before, timestamp);
        if (before != null) {
            var moment =
                    new Moment(Moment.NO_EVENT, Instant.ofEpochMilli(HistoryRecord.millis(read.headers(), timestamp)));
            tell(instance, timestamp, told(instance, record, before.status(), moment, new Fact.Deleted()));
        }
        tell(instance, timestamp, new Told.Status(null));
    }

    /**
     * When something happened.
     *
     * @param event of the history
     */
    private record Moment(long event, Instant time) {
        /** A deletion is no event of a history. */
        static final long NO_EVENT = 0;
    }

    private static Told.Event told(
            String instance, HistoryRecord record, InstanceStatus status, Moment moment, Fact fact) {
        return new Told.Event(
                record.source(),
                new LifecycleEvent(
                        record.id() + ":" + fact.type(),
                        instance,
                        status.execution(),
                        moment.event(),
                        moment.time(),
                        status.orchestration(),
                        status.version(),
                        status.parent(),
                        status.correlation(),
                        fact));
    }

    private void takeBackStuck(String instance, @Nullable Tracked before, long timestamp) {
        if (before != null && before.isReportedStuck()) {
            tell(instance, timestamp, new Told.Stuck(null));
        }
    }

    private void look(long nowMillis) {
        if (!hasCaughtUp(nowMillis)) {
            return;
        }
        for (var silent : states().silentSince(nowMillis - settings.stuckAfter().toMillis(), STUCK_AT_A_LOOK)) {
            var tracked = states().get(silent.instance());
            if (tracked == null) {
                throw new IllegalStateException("nothing is known of an instance that is silent: " + silent.instance());
            }
            foundSilent(silent.instance(), tracked, nowMillis);
        }
    }

    /** Of what was not read from the beginning nobody knows what it waits for; an earlier version looked for it all the same. */
    private void foundSilent(String instance, Tracked tracked, long nowMillis) {
        if (tracked.isFromBefore(initialised(jumpCount).count())) {
            lost(instance, tracked, nowMillis);
        } else if (!tracked.isWhole()) {
            states().put(instance, tracked, tracked);
        } else {
            states().put(instance, tracked, tracked.reportedStuck());
            tell(instance, nowMillis, new Told.Stuck(stuck(tracked)));
        }
    }

    private void tidy(long nowMillis) {
        if (isQuiet(nowMillis) && jumps.takeAtEnd(context().taskId().partition())) {
            jumped();
        }
        initialised(housekeeping).tidy(nowMillis, hasCaughtUp(nowMillis));
    }

    /** At the very first start there is nothing to be lost. */
    private void jumped() {
        if (states().isEmpty()) {
            return;
        }
        LOG.atError()
                .addKeyValue(LogKeys.PARTITION, context().taskId().partition())
                .log("events of the history expired before the streams read them:"
                        + " what ran before is UNKNOWN until more is heard of it");
        initialised(jumpCount).increment();
        initialised(housekeeping).jumped();
        notices.jumped().run();
    }

    private void lost(String instance, Tracked tracked, long nowMillis) {
        takeBackStuck(instance, tracked, nowMillis);
        var lost = tracked.lost(nowMillis);
        states().put(instance, tracked, lost);
        tell(instance, nowMillis, new Told.Status(lost.status()));
    }

    /** What housekeeping finds is told. */
    private final class Found implements Housekeeping.Listener {
        @Override
        public void removed(String instance, long nowMillis) {
            tell(instance, nowMillis, new Told.Status(null));
            notices.removed().run();
        }

        @Override
        public void lost(String instance, Tracked tracked, long nowMillis) {
            InstanceProcessor.this.lost(instance, tracked, nowMillis);
        }
    }

    private StuckInstance stuck(Tracked tracked) {
        var status = tracked.status();
        return new StuckInstance(
                status.instance(),
                status.orchestration(),
                status.version(),
                status.execution(),
                status.updatedAt(),
                tracked.lastEvent(),
                settings.stuckAfter());
    }

    private boolean hasCaughtUp(long nowMillis) {
        return isQuiet(nowMillis) || nowMillis - lastMadeMillis <= QUIET.toMillis();
    }

    private boolean isQuiet(long nowMillis) {
        return nowMillis - lastReadMillis >= QUIET.toMillis();
    }

    private void tell(String instance, long timestamp, Told told) {
        context().forward(new Record<>(instance, told, Math.max(0, timestamp), new RecordHeaders()));
    }

    private ProcessorContext<String, Told> context() {
        return initialised(context);
    }

    private InstanceStates states() {
        return initialised(states);
    }

    private static <T> T initialised(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not initialised");
        }
        return part;
    }
}
