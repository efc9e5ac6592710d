package io.sluice.relay.streams;

import io.sluice.client.lifecycle.Fact;
import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.client.lifecycle.InstanceStatus.State;
import io.sluice.client.lifecycle.LifecycleEvent;
import io.sluice.client.lifecycle.StuckInstance;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.relay.log.LogKeys;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes the history of one partition: it keeps a state for each instance, forwards lifecycle events and status
 * changes, and reports instances without new events as stuck.
 *
 * <p>An instance is silent since its latest event was read here, not since that event was made: after an outage of a
 * day a relay must not report every instance as stuck before it has read the events of that day.
 */
final class InstanceProcessor implements Processor<String, byte[], String, InstanceUpdate> {
    private static final Logger LOG = LoggerFactory.getLogger(InstanceProcessor.class);
    /** The check blocks the thread of the partition, so each check reports this many at most. */
    private static final int MAX_STUCK_PER_CHECK = 1_000;
    /** As in the store; what is derived from a longer one might exceed what a record may have. */
    private static final int MOST_CHARACTERS_OF_ID = 1_023;
    /** A partition without a new record for so long has no backlog. */
    private static final Duration QUIET = Duration.ofSeconds(30);

    private final LifecycleTopology.Settings settings;
    private final HistoryJumps jumps;
    private final LifecycleStreams.Notices notices;
    private @Nullable ProcessorContext<String, InstanceUpdate> context;
    private @Nullable InstanceStore states;
    private @Nullable Housekeeping housekeeping;
    private @Nullable JumpCount jumpCount;
    private long lastReadMillis;
    private long lastMadeMillis;

    /** @param jumps of all partitions */
    InstanceProcessor(LifecycleTopology.Settings settings, HistoryJumps jumps, LifecycleStreams.Notices notices) {
        this.settings = settings;
        this.jumps = jumps;
        this.notices = notices;
    }

    @Override
    public void init(ProcessorContext<String, InstanceUpdate> taskContext) {
        context = taskContext;
        KeyValueStore<String, InstanceState> instances = taskContext.getStateStore(LifecycleTopology.INSTANCES);
        KeyValueStore<Bytes, byte[]> byTime = taskContext.getStateStore(LifecycleTopology.SILENCE);
        states = new InstanceStore(instances, byTime);
        jumpCount = new JumpCount(byTime);
        housekeeping = new Housekeeping(
                states, new StateWalk(instances, byTime), jumpCount, settings.retention(), new Found());
        lastReadMillis = taskContext.currentSystemTimeMs();
        taskContext.schedule(quarter(settings.stuckAfter()), PunctuationType.WALL_CLOCK_TIME, this::reportStuck);
        taskContext.schedule(Housekeeping.INTERVAL, PunctuationType.WALL_CLOCK_TIME, this::tidy);
    }

    private static Duration quarter(Duration time) {
        var quarter = time.dividedBy(4);
        return quarter.compareTo(Duration.ofMinutes(1)) > 0 ? Duration.ofMinutes(1) : quarter;
    }

    @Override
    public void process(Record<String, byte[]> read) {
        var place = context().recordMetadata();
        place.filter(at -> jumps.takeAt(at.partition(), at.offset())).ifPresent(at -> recordJump());
        lastReadMillis = context().currentSystemTimeMs();
        lastMadeMillis = read.timestamp();
        if (read.key() == null || read.key().length() > MOST_CHARACTERS_OF_ID) {
            LOG.atWarn()
                    .addKeyValue(
                            LogKeys.PARTITION,
                            place.map(RecordMetadata::partition).orElse(-1))
                    .addKeyValue(
                            LogKeys.OFFSET, place.map(RecordMetadata::offset).orElse(-1L))
                    .log("skipped a record of the history topic whose key is no id of an instance");
            return;
        }
        var record = HistoryRecord.of(read.headers(), read.value());
        if (record.isDeletion()) {
            processDeletion(read.key(), record, read);
        } else {
            // The key says whose event it is, whatever its writer called it.
            record.event()
                    .ifPresentOrElse(
                            event -> processEvent(read.key(), event.ofInstance(read.key()), record, read.timestamp()),
                            () -> processUnreadable(read.key(), read.timestamp()));
        }
    }

    private void processEvent(String instance, HistoryEvent event, HistoryRecord record, long timestamp) {
        var before = states().get(instance);
        var step =
                InstanceStateMachine.apply(before, event, initialised(jumpCount).count());
        keep(instance, before, step.after(), timestamp);
        var status = step.after().status();
        var moment = new Moment(event.eventId(), Instant.ofEpochMilli(event.timestampMillis()));
        for (Fact fact : step.facts()) {
            forward(instance, timestamp, lifecycleEvent(instance, record, status, moment, fact));
        }
        if (before == null || !status.equals(before.status())) {
            forward(instance, timestamp, new InstanceUpdate.Status(status));
        }
    }

    /** An event that can't be read still shows that the instance is not stuck. */
    private void processUnreadable(String instance, long timestamp) {
        var before = states().get(instance);
        if (before != null) {
            keep(instance, before, before, timestamp);
        }
    }

    private void keep(String instance, @Nullable InstanceState before, InstanceState after, long timestamp) {
        retractStuck(instance, before, timestamp);
        states().put(instance, before, after.heardAt(heardMillis(after)));
    }

    /** The timers that an ended instance leaves behind do not count. */
    private long heardMillis(InstanceState after) {
        return after.status().state() == State.RUNNING
                ? Math.max(lastReadMillis, after.sleepsUntilMillis())
                : lastReadMillis;
    }

    private void processDeletion(String instance, HistoryRecord record, Record<String, byte[]> read) {
        long timestamp = read.timestamp();
        var before = states().remove(instance);
        retractStuck(instance, before, timestamp);
        if (before != null) {
            var moment =
                    new Moment(Moment.NO_EVENT, Instant.ofEpochMilli(HistoryRecord.millis(read.headers(), timestamp)));
            forward(instance, timestamp, lifecycleEvent(instance, record, before.status(), moment, new Fact.Deleted()));
        }
        forward(instance, timestamp, new InstanceUpdate.Status(null));
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

    private static InstanceUpdate.Event lifecycleEvent(
            String instance, HistoryRecord record, InstanceStatus status, Moment moment, Fact fact) {
        return new InstanceUpdate.Event(
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

    private void retractStuck(String instance, @Nullable InstanceState before, long timestamp) {
        if (before != null && before.isReportedStuck()) {
            forward(instance, timestamp, new InstanceUpdate.Stuck(null));
        }
    }

    private void reportStuck(long nowMillis) {
        if (!hasCaughtUp(nowMillis)) {
            return;
        }
        for (var silent : states().silentSince(nowMillis - settings.stuckAfter().toMillis(), MAX_STUCK_PER_CHECK)) {
            var tracked = states().get(silent.instance());
            if (tracked == null) {
                throw new IllegalStateException("an instance of the index has no state: " + silent.instance());
            }
            reportSilent(silent.instance(), tracked, nowMillis);
        }
    }

    /**
     * What an instance waits for is known only if it was read from the beginning; an earlier version also indexed
     * others.
     */
    private void reportSilent(String instance, InstanceState tracked, long nowMillis) {
        if (tracked.isFromBefore(initialised(jumpCount).count())) {
            markUnknown(instance, tracked, nowMillis);
        } else if (!tracked.isWhole()) {
            states().put(instance, tracked, tracked);
        } else {
            states().put(instance, tracked, tracked.reportedStuck());
            forward(instance, nowMillis, new InstanceUpdate.Stuck(stuck(tracked)));
        }
    }

    private void tidy(long nowMillis) {
        if (isQuiet(nowMillis) && jumps.takeAtEnd(context().taskId().partition())) {
            recordJump();
        }
        initialised(housekeeping).tidy(nowMillis, hasCaughtUp(nowMillis));
    }

    /** At the first start no state can be outdated. */
    private void recordJump() {
        if (states().isEmpty()) {
            return;
        }
        LOG.atError()
                .addKeyValue(LogKeys.PARTITION, context().taskId().partition())
                .log("events of the history expired before the streams read them:"
                        + " running instances get the status UNKNOWN until their next event");
        initialised(jumpCount).increment();
        initialised(housekeeping).restartWalk();
        notices.jumped().run();
    }

    private void markUnknown(String instance, InstanceState tracked, long nowMillis) {
        retractStuck(instance, tracked, nowMillis);
        var lost = tracked.lost(nowMillis);
        states().put(instance, tracked, lost);
        forward(instance, nowMillis, new InstanceUpdate.Status(lost.status()));
    }

    /** Forwards what the housekeeping finds. */
    private final class Found implements Housekeeping.Listener {
        @Override
        public void removed(String instance, long nowMillis) {
            forward(instance, nowMillis, new InstanceUpdate.Status(null));
            notices.removed().run();
        }

        @Override
        public void lost(String instance, InstanceState tracked, long nowMillis) {
            InstanceProcessor.this.markUnknown(instance, tracked, nowMillis);
        }
    }

    private StuckInstance stuck(InstanceState tracked) {
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

    private void forward(String instance, long timestamp, InstanceUpdate update) {
        context().forward(new Record<>(instance, update, Math.max(0, timestamp), new RecordHeaders()));
    }

    private ProcessorContext<String, InstanceUpdate> context() {
        return initialised(context);
    }

    private InstanceStore states() {
        return initialised(states);
    }

    private static <T> T initialised(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not initialised");
        }
        return part;
    }
}
