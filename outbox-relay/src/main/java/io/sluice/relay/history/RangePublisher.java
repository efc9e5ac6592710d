package io.sluice.relay.history;

import io.sluice.program.FailureReason;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.PollInterval;
import io.sluice.relay.history.RangeOwnership.Owner;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.RepeatedCheck;
import io.sluice.relay.loop.StopRequest;
import io.sluice.relay.partition.RangeFailure;
import io.sluice.relay.partition.RangeFailure.Peer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the history of one key range, each event once, as long as the consumer group leaves the range to this
 * replica.
 *
 * <ol>
 *   <li>{@code initTransactions} with the range's transactional id: from here on no earlier owner can commit;
 *   <li>only then it reads the position, up to the high watermark, and compares it with the history topic and with
 *       the feed's end: see {@link HistoryTopic} and {@link FeedEndCheck};
 *   <li>then {@link PagePublisher} publishes page by page, each in one transaction with the position after it.
 * </ol>
 *
 * <p>Any failure, above all a commit with an unknown result, closes the producer; the publisher then asks the group for
 * the owner of the range, and begins again with step 1 if that is still this replica. Runs on one thread;
 * {@link #status}, {@link #isBehind} and {@link #stop} may be called by any.
 */
final class RangePublisher implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(RangePublisher.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final RangeId id;
    private final RangeFeed feed;
    private final RangeTakeover takeover;
    private final PagePublisher pages;
    private final PipelineControl control;
    private final Tuning tuning;
    private final StopRequest stop = new StopRequest();
    private final RangeFailure failure = new RangeFailure();
    private boolean isSplit;
    /** The newest position that this publisher has read or written. */
    private @Nullable Position committed;
    /** Of the latest page, whose commit may be in doubt. */
    private @Nullable Position attempted;

    private volatile RangeStatus status;

    /**
     * The pace of a publisher.
     *
     * @param shortestInterval between reads of the feed after activity
     * @param longestInterval between reads while nothing changes
     * @param afterFailure pause before it takes over again
     * @param fullPage documents in a page after which the next is read at once
     */
    record Tuning(Duration shortestInterval, Duration longestInterval, Duration afterFailure, int fullPage) {}

    /** What is left of a page that was published. */
    private record Published(Position position, Duration pause) {}

    RangePublisher(
            RangeFeed feed, RangeTakeover takeover, PagePublisher pages, PipelineControl control, Tuning tuning) {
        this.id = feed.range();
        this.feed = feed;
        this.takeover = takeover;
        this.pages = pages;
        this.control = control;
        this.tuning = tuning;
        this.status = new RangeStatus(id.bounds(), RangeState.TAKING_OVER, 0, 0, 0, false, null);
    }

    RangeStatus status() {
        return status.failing(failure);
    }

    /** Whether it has read no new change for longer than this: it can't read the feed, or its end is still far. */
    boolean isBehind(Duration patience) {
        return feed.isBehind(patience);
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
            } while (!isSplit && awaitOwner() == Owner.US);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (PositionRefusedException e) {
            LOG.atError()
                    .addKeyValue(LogKeys.RANGE, id.name())
                    .log("the position of a range is refused: {}", e.getMessage());
            enter(RangeState.REFUSED, e.getMessage());
            return;
        }
        enter(isSplit ? RangeState.SPLIT : RangeState.ENDED, null);
    }

    /** Asks the group for the owner of the range, after a pause, until it knows one or the stop is requested. */
    private Owner awaitOwner() throws InterruptedException {
        while (!stop.await(tuning.afterFailure())) {
            beat();
            var owner = takeover.askOwner(id);
            if (owner != Owner.UNKNOWN) {
                return owner;
            }
        }
        return Owner.UNKNOWN;
    }

    /** Shows that this thread does not hang; {@link #status} shows whether it makes progress. */
    private void beat() {
        control.beat(id.name());
    }

    private void takeOverAndPublish() throws InterruptedException, PositionRefusedException {
        enter(RangeState.TAKING_OVER, null);
        failure.asks(Peer.KAFKA);
        beat();
        Producer<byte[], byte[]> producer = null;
        // A transaction that a close without a wait leaves open is aborted by the next initTransactions.
        var closeTimeout = Duration.ZERO;
        try {
            producer = takeover.openProducer(id);
            beat();
            producer.initTransactions();
            beat();
            var position = takeover.readPosition(id);
            isSplit = position.ended();
            if (!isSplit) {
                // Not earlier: until here another owner may have moved the position, and have intents in hand.
                if (!position.equals(committed) && !position.equals(attempted)) {
                    feed.begin();
                }
                committed = position;
                publish(producer, trust(producer, position));
            }
            closeTimeout = CLOSE_TIMEOUT;
        } catch (TimeoutException | RuntimeException e) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.RANGE, id.name())
                    .addKeyValue(LogKeys.REASON, FailureReason.of(e))
                    .log("publishing the history of a range failed, will take the range over again");
            LOG.atDebug().addKeyValue(LogKeys.RANGE, id.name()).setCause(e).log("why publishing failed");
            failure.failed(e);
            enter(RangeState.RECOVERING, null);
        } finally {
            if (producer != null) {
                close(producer, closeTimeout);
            }
        }
    }

    private static void close(Producer<byte[], byte[]> producer, Duration timeout) {
        try {
            producer.close(timeout);
        } catch (InterruptException e) {
            // This thread has to end at once; the next owner aborts an open transaction.
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Refuses a position that is ahead of its feed, or of another history topic, and writes that into the position:
     * once the store has grown beyond it, it would look sound.
     */
    private Position trust(Producer<byte[], byte[]> producer, Position position)
            throws InterruptedException, PositionRefusedException {
        var fault = position.isRefused() ? position.refused() : fault(position);
        if (fault == null) {
            return position;
        }
        if (!position.isRefused()) {
            pages.writePosition(producer, position.refusedFor(fault));
        }
        throw new PositionRefusedException(fault);
    }

    private @Nullable String fault(Position position) throws InterruptedException {
        var ofTopic = new RepeatedCheck(tuning.afterFailure(), stop)
                .fault(id.name(), () -> takeover.historyTopic().refusal(id, position), this::beat);
        failure.asks(Peer.STORE);
        return ofTopic == null ? feed.fault(position, tuning.afterFailure(), stop, this::beat) : ofTopic;
    }

    /** Leads back to the takeover when the history topic seems to be another one, as that compares with care. */
    private void requireSameTopic(Position position) {
        takeover.historyTopic().refusalByLatest(id, position).ifPresent(why -> {
            throw new IllegalStateException(why);
        });
    }

    private void publish(Producer<byte[], byte[]> producer, Position from)
            throws InterruptedException, PositionRefusedException {
        enter(RangeState.PUBLISHING, null);
        LOG.atInfo().addKeyValue(LogKeys.RANGE, id.name()).log("took a range over, publishing its history");
        var pace = new PollInterval(tuning.shortestInterval(), tuning.longestInterval());
        var position = from;
        var pause = Duration.ZERO;
        try (var announcer = pages.announcer(id)) {
            while (!isSplit && !stop.await(pause)) {
                beat();
                if (control.isPaused()) {
                    pause();
                    pause = tuning.afterFailure();
                    continue;
                }
                var before = position;
                failure.asks(Peer.STORE);
                var published = feed.readNext(before, this::beat, (page, isCut) -> {
                    failure.asks(Peer.KAFKA);
                    requireSameTopic(before);
                    var after = before.after(page);
                    var parts = feed.parts(after, page.continuation());
                    requireNew(parts);
                    var positions = parts.isEmpty() ? List.of(after) : ended(after, parts);
                    var read = new PagePublisher.Page(page, positions, announcer.announce(page));
                    boolean idle = page.isEndAfter(before.continuation());
                    attempted = after;
                    int events = pages.publish(producer, id, read, this::beat);
                    committed = events > 0 ? after : committed;
                    count(page, events, idle);
                    isSplit = !parts.isEmpty();
                    return new Published(after, idle ? pace.afterNothing() : intervalAfter(page, isCut, pace));
                });
                position = published.position();
                pause = published.pause();
            }
        }
    }

    /** Else what a part has published would be published again, from where the range stood. */
    private void requireNew(List<Position> parts) throws InterruptedException, PositionRefusedException {
        for (var part : parts) {
            try {
                takeover.requireNew(part.range());
            } catch (TimeoutException e) {
                throw new IllegalStateException("can't read whether a part has a position: " + e.getMessage(), e);
            }
        }
    }

    /** In one transaction with the page: the end of the range, and where its parts go on. */
    private List<Position> ended(Position after, List<Position> parts) {
        LOG.atInfo()
                .addKeyValue(LogKeys.RANGE, id.name())
                .addKeyValue(
                        "parts", parts.stream().map(part -> part.range().name()).toList())
                .log("the service has split a range, its parts go on as ranges of their own");
        return Stream.concat(Stream.of(after.end()), parts.stream()).toList();
    }

    private void pause() {
        // Time that it was told to rest is none for which somebody has failed.
        failure.worked();
        if (status.state() != RangeState.PAUSED) {
            enter(RangeState.PAUSED, null);
        }
    }

    private Duration intervalAfter(FeedPage page, boolean isCut, PollInterval pace) {
        var pause = pace.afterActivity();
        return isCut || page.documents().size() >= tuning.fullPage() ? Duration.ZERO : pause;
    }

    private void count(FeedPage page, int events, boolean idle) {
        failure.worked();
        var was = status;
        status = new RangeStatus(
                was.range(),
                RangeState.PUBLISHING,
                was.published() + events,
                was.pages() + 1,
                Math.max(page.newestSecond(), was.newestSeconds()),
                idle,
                null);
    }

    private void enter(RangeState state, @Nullable String problem) {
        var was = status;
        status = new RangeStatus(was.range(), state, was.published(), was.pages(), was.newestSeconds(), false, problem);
    }
}
