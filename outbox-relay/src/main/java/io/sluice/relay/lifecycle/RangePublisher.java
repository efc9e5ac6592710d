package io.sluice.relay.lifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import io.opentelemetry.api.trace.SpanKind;
import io.sluice.provider.outbox.PurgeMarker;
import io.sluice.relay.feed.ChangeListener;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.PageReader;
import io.sluice.relay.feed.PollInterval;
import io.sluice.relay.ops.FailureReason;
import io.sluice.relay.ops.LogKeys;
import io.sluice.relay.ops.PipelineControl;
import io.sluice.relay.ops.StopRequest;
import io.sluice.relay.ops.TraceSpan;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes one key range's history, each event once, for as long as the group leaves it the range.
 *
 * <ol>
 *   <li>{@code initTransactions} with the range's transactional id: from here no earlier owner can commit;
 *   <li>only then read the position, up to the high watermark, and compare it with where the feed ends: see {@link FeedEndCheck};
 *   <li>one transaction per page: its records and the position after it.
 * </ol>
 *
 * <p>Any error, a commit with an unknown end above all, closes the producer and begins again with 1, provided that the
 * group still leaves the range here. Runs on one thread; {@link #status} and {@link #stop} may come from any.
 */
final class RangePublisher implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(RangePublisher.class);
    private static final Duration CLOSE_IN_PEACE = Duration.ofSeconds(5);

    private final RangeId id;
    private final Ports ports;
    private final Tuning tuning;
    private final StopRequest stop = new StopRequest();
    private final RangeLag lag;
    private volatile RangeStatus status;

    /**
     * What the publisher works with.
     *
     * @param reader the feed of its range
     * @param producers makes a producer with the range's transactional id
     * @param positions where positions are read
     * @param records makes records of feed documents
     * @param changes told of everything read
     * @param purges told of every marker whose earlier events are committed; takes it and returns at once
     * @param ownership asked after every failure
     * @param control pauses it, and sees its heartbeat
     * @param publication told of every transaction
     * @param memory what its pages may take, together with the pages of other ranges
     * @param clock the store's time
     */
    record Ports(
            PageReader reader,
            Producers producers,
            PositionLog positions,
            HistoryRecords records,
            ChangeListener changes,
            Consumer<PurgeMarker> purges,
            Ownership ownership,
            PipelineControl control,
            Publication publication,
            PageMemory memory,
            InstantSource clock) {}

    /** Makes a producer that raises the epoch of a range's transactional id. */
    @FunctionalInterface
    interface Producers {
        Producer<byte[], byte[]> open(int range);
    }

    /** Whom the group says a range belongs to. */
    @FunctionalInterface
    interface Ownership {
        Owner of(int range) throws InterruptedException;
    }

    /** The group's answer. */
    enum Owner {
        US,
        ANOTHER,
        /** The group is rebalancing or out of reach. */
        UNKNOWN
    }

    /**
     * How fast.
     *
     * @param shortestRest between looks at the feed after activity
     * @param longestRest between looks while nothing happens
     * @param afterFailure rest before it takes over again
     * @param fullPage documents in a page that is worth looking on at once
     */
    record Tuning(Duration shortestRest, Duration longestRest, Duration afterFailure, int fullPage) {}

    RangePublisher(RangeId id, Ports ports, Tuning tuning) {
        this.id = id;
        this.ports = ports;
        this.tuning = tuning;
        this.lag = new RangeLag(ports.clock(), tuning.longestRest());
        this.status = new RangeStatus(id.index(), RangeState.TAKING_OVER, 0, 0, 0, false, null);
    }

    RangeStatus status() {
        return status;
    }

    /** Whether it has not shown what is new for longer: it can't read the feed, or has yet to come to its end. */
    boolean isBehind(Duration patience) {
        return lag.isBehind(patience);
    }

    /** Asks it to end after the page under way. */
    void stop() {
        stop.request();
    }

    @Override
    public void run() {
        try {
            do {
                takeOverAndPublish();
            } while (isStillOurs());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (PositionRefused e) {
            LOG.atError().addKeyValue(LogKeys.RANGE, id.index()).log("refused: {}", e.getMessage());
            enter(RangeState.REFUSED, e.getMessage());
            return;
        }
        enter(RangeState.ENDED, null);
    }

    private boolean isStillOurs() throws InterruptedException {
        while (!stop.rest(tuning.afterFailure())) {
            turned();
            var owner = ports.ownership().of(id.index());
            if (owner != Owner.UNKNOWN) {
                return owner == Owner.US;
            }
        }
        return false;
    }

    /** Shows that this thread does not hang; whether it gets anywhere is for {@link #status} to tell. */
    private void turned() {
        ports.control().beat(id.index());
    }

    private void takeOverAndPublish() throws InterruptedException, PositionRefused {
        enter(RangeState.TAKING_OVER, null);
        turned();
        Producer<byte[], byte[]> producer = null;
        // Closing in a hurry leaves an open transaction to the next initTransactions, which aborts it.
        var patience = Duration.ZERO;
        try {
            producer = ports.producers().open(id.index());
            turned();
            producer.initTransactions();
            turned();
            publish(producer, trusted(producer, position()));
            patience = CLOSE_IN_PEACE;
        } catch (TimeoutException | RuntimeException e) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.RANGE, id.index())
                    .addKeyValue(LogKeys.REASON, FailureReason.of(e))
                    .log("publishing failed, will take over again");
            LOG.atDebug().addKeyValue(LogKeys.RANGE, id.index()).setCause(e).log("why publishing failed");
            enter(RangeState.RECOVERING, FailureReason.of(e));
        } finally {
            if (producer != null) {
                close(producer, patience);
            }
        }
    }

    private static void close(Producer<byte[], byte[]> producer, Duration patience) {
        try {
            producer.close(patience);
        } catch (InterruptException e) {
            // Told to end at once: what is still open is aborted by the next owner.
            Thread.currentThread().interrupt();
        }
    }

    private Position position() throws TimeoutException, PositionRefused, InterruptedException {
        var position = ports.positions()
                .read(id.index())
                .orElseThrow(() -> new PositionRefused("range " + id.index()
                        + " has no position though positions were written at the first start; events may be published "
                        + "already: start once with --from-beginning if repeating them is right"));
        position.mustBeOf(id);
        return position;
    }

    /** A position that is ahead of its feed is refused by a record, so that nobody trusts it again when the store has grown beyond it. */
    private Position trusted(Producer<byte[], byte[]> producer, Position position)
            throws InterruptedException, PositionRefused {
        var check = new FeedEndCheck(ports.reader(), tuning.afterFailure(), stop);
        var why = position.isRefused() ? position.refused() : check.fault(id, position, this::turned);
        if (why == null) {
            return position;
        }
        if (!position.isRefused()) {
            producer.beginTransaction();
            send(producer, ports.records().position(id, position.refusedFor(why)));
            producer.commitTransaction();
        }
        throw new PositionRefused(why);
    }

    private void publish(Producer<byte[], byte[]> producer, Position from)
            throws InterruptedException, PositionRefused {
        enter(RangeState.PUBLISHING, null);
        LOG.atInfo().addKeyValue(LogKeys.RANGE, id.index()).log("publishing");
        var pace = new PollInterval(tuning.shortestRest(), tuning.longestRest());
        var position = from;
        var rest = Duration.ZERO;
        while (!stop.rest(rest)) {
            turned();
            if (ports.control().isPaused()) {
                pause();
                rest = tuning.afterFailure();
                continue;
            }
            var before = position;
            var done = ports.memory()
                    .holding(
                            () -> before.read(ports.reader()),
                            this::turned,
                            page -> new Done(publish(producer, before, page), restAfter(page, pace)));
            position = done.position();
            rest = done.rest();
        }
    }

    /** What is left of a page that was published. */
    private record Done(Position position, Duration rest) {}

    private Position publish(Producer<byte[], byte[]> producer, Position before, FeedPage page)
            throws InterruptedException, PositionRefused {
        id.mustHave(page.documents());
        if (page.endsEarlier()) {
            throw new IllegalStateException("the change feed has gone back to before the position of the range");
        }
        ports.changes().onChange(page.documents());
        lag.read(page);
        var position = before.at(page.continuation());
        int events = commit(producer, page, position);
        answer(page);
        count(page, events);
        return position;
    }

    private void pause() {
        if (status.state() != RangeState.PAUSED) {
            enter(RangeState.PAUSED, null);
        }
    }

    private Duration restAfter(FeedPage page, PollInterval pace) {
        if (page.isEmpty()) {
            return pace.afterNothing();
        }
        return page.documents().size() >= tuning.fullPage() ? Duration.ZERO : pace.afterActivity();
    }

    /** The feed is ordered within an instance: all that came before the marker is committed by now. */
    private void answer(FeedPage page) {
        page.documents().stream()
                .flatMap(document -> PurgeMarker.in(document).stream())
                .filter(marker -> !marker.deleted())
                .forEach(ports.purges());
    }

    /** A page without events needs no transaction: the next one with events carries its position on. */
    private int commit(Producer<byte[], byte[]> producer, FeedPage page, Position position)
            throws InterruptedException {
        List<ProducerRecord<byte[], byte[]>> events = ports.records().of(page.documents());
        if (events.isEmpty()) {
            return 0;
        }
        long begunNanos = System.nanoTime();
        boolean committed = false;
        try (var span =
                TraceSpan.beginFor("publish history", SpanKind.PRODUCER, HistoryRecords.traces(page.documents()))) {
            span.with("sluice.range", id.index()).with("sluice.events", events.size());
            producer.beginTransaction();
            for (var event : events) {
                send(producer, event);
            }
            send(producer, ports.records().position(id, position));
            turned();
            producer.commitTransaction();
            committed = true;
            span.ended("committed");
        } finally {
            tell(committed, events, page, System.nanoTime() - begunNanos);
        }
        return events.size();
    }

    private void tell(boolean committed, List<ProducerRecord<byte[], byte[]>> events, FeedPage page, long nanos) {
        if (!committed) {
            ports.publication().aborted(id.index(), nanos);
            return;
        }
        var written = page.documents().stream()
                .filter(HistoryRecords::isEvent)
                .map(document -> document.path("_ts").asLong())
                .toList();
        ports.publication().committed(new Publication.Committed(id.index(), events, written, nanos));
    }

    /** The commit reports what any of the sends met. One that could not even be queued has waited for its broker, and those behind it would wait as long each. */
    private static void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> message)
            throws InterruptedException {
        var sent = producer.send(message);
        if (sent.isDone()) {
            try {
                sent.get();
            } catch (ExecutionException e) {
                throw new KafkaException("not sent: " + e.getCause(), e.getCause());
            }
        }
    }

    private void count(FeedPage page, int events) {
        long newest = page.documents().stream()
                .map(document -> document.path("_ts"))
                .mapToLong(JsonNode::asLong)
                .max()
                .orElse(0);
        var was = status;
        status = new RangeStatus(
                was.range(),
                RangeState.PUBLISHING,
                was.published() + events,
                was.pages() + 1,
                Math.max(newest, was.newestSeconds()),
                page.isEmpty(),
                null);
    }

    private void enter(RangeState state, @Nullable String trouble) {
        var was = status;
        status = new RangeStatus(was.range(), state, was.published(), was.pages(), was.newestSeconds(), false, trouble);
    }
}
