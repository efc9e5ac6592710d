package io.sluice.relay.delivery;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.cosmos.document.IntentStatus;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.relay.feed.ChangeListener;
import io.sluice.relay.ops.FailureReason;
import io.sluice.relay.ops.LogKeys;
import io.sluice.relay.ops.PipelineControl;
import io.sluice.relay.ops.RelayMemory;
import io.sluice.relay.ops.RetryBackoff;
import io.sluice.relay.ops.Threads;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers intents. The feed only signals: on any intent of a source, the source's partition is asked for all
 * its undelivered intents, and each pair of source and target is delivered in order. What meets trouble is tried again
 * later; should the process die before, the sweep finds it.
 *
 * <p>{@link #onChange} and {@link #requestDrain} may come from any thread at any time, also before {@link #start}.
 */
public final class IntentDelivery implements ChangeListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IntentDelivery.class);
    private static final Duration CIRCUIT_REST = Duration.ofSeconds(1);
    private static final Duration LEAST_PARKING = Duration.ofSeconds(1);
    private static final long PAUSE_CHECK_MILLIS = 200;
    /** Two readers of the feed show what is changed; for so long both count, also while one replica takes over from another. */
    private static final Duration NEW_FOR = Duration.ofSeconds(30);
    /** Sources that the sweep may be ahead. */
    private static final int MOST_BACKLOG = 2_000;
    /** Sources that are remembered with the time of their next look; the sweep finds what is forgotten. */
    private static final int MOST_LATER = 20_000;

    private final Settings settings;
    private final InstantSource clock;
    private final RetryBackoff backoff;
    private final StoreCircuitBreaker circuit;
    private final SourceQueue queue;
    private final SourceDrain visit;
    private final SourceDrain backlogVisit;
    private final PairExecutor pairs;
    private final ExecutorService visitors;
    private final SeenIntents seenIntents = new SeenIntents();
    private final MalformedCount malformed;
    private final DeliveryCounters figures;
    private final PipelineControl control;
    private boolean started;

    /**
     * How intents are delivered.
     *
     * @param concurrency sources worked on, and pairs delivered, at a time
     * @param backoff rests before what is in trouble, or was refused, is tried again
     * @param drainTimeout how long closing waits for deliveries under way
     * @param maxAttempts tries that the store refused before an intent is given up for good
     * @param maxAge of an intent before it is given up for good
     * @param mixedFleet whether writers of other kinds deliver too, without receipts
     */
    public record Settings(
            int concurrency,
            RetryBackoff.Shape backoff,
            Duration drainTimeout,
            int maxAttempts,
            Duration maxAge,
            boolean mixedFleet) {}

    /**
     * Who looks on.
     *
     * @param control pauses delivery, and sees its heartbeat
     * @param latencies milliseconds from the creation of every intent to its delivery
     */
    public record Watch(PipelineControl control, LongConsumer latencies) {}

    /**
     * Delivers out of a store.
     *
     * @param answerSources whether sources of sub-orchestrations are told when a start failed for good
     * @param failedForGood told of every intent that was given up
     * @param memory what large intents may take of the heap
     */
    public IntentDelivery(
            IntentOutbox outbox,
            FailedIntents failures,
            boolean answerSources,
            Runnable failedForGood,
            Settings settings,
            InstantSource clock,
            Watch watch,
            RelayMemory memory) {
        this(
                malformed -> Outbox.of(outbox, failures, answerSources, malformed::met),
                failedForGood,
                settings,
                clock,
                watch,
                memory);
    }

    IntentDelivery(Outbox outbox, Runnable failedForGood, Settings settings, InstantSource clock, Watch watch) {
        this(malformed -> outbox, failedForGood, settings, clock, watch, RelayMemory.ofHeap());
    }

    private IntentDelivery(
            Function<MalformedCount, Outbox> outbox,
            Runnable failedForGood,
            Settings settings,
            InstantSource clock,
            Watch watch,
            RelayMemory relayMemory) {
        this.malformed = new MalformedCount();
        this.control = watch.control();
        this.figures = new DeliveryCounters(watch.latencies());
        this.settings = settings;
        this.clock = clock;
        this.backoff = new RetryBackoff(settings.backoff(), new Random());
        this.circuit = new StoreCircuitBreaker(CIRCUIT_REST);
        this.queue = new SourceQueue(clock, mostOfBacklog(settings.concurrency()), MOST_BACKLOG, MOST_LATER);
        // Pools start their threads with their first task, not here.
        this.pairs = new PairExecutor(settings.concurrency(), settings.drainTimeout());
        this.visitors = Executors.newFixedThreadPool(settings.concurrency(), Threads.named("sluice-source"));
        var parking = new RetryBackoff(settings.backoff().startingAt(LEAST_PARKING), new Random());
        var policy = new DeliveryPolicy(settings.maxAttempts(), settings.maxAge(), settings.mixedFleet());
        var guarded = new CircuitBreakingOutbox(outbox.apply(malformed), circuit, seenIntents::found);
        var memory = new DeliveryMemory(relayMemory);
        Function<Executor, SourceDrain> visits =
                executor -> new SourceDrain(guarded, executor, parking, policy, failedForGood, clock, figures, memory);
        this.visit = visits.apply(pairs.forNew());
        this.backlogVisit = visits.apply(pairs.forBacklog());
    }

    /** A quarter is always free for what is new. */
    private static int mostOfBacklog(int concurrency) {
        return Math.max(1, concurrency - Math.max(1, concurrency / 4));
    }

    /** Begins to deliver. */
    public synchronized void start() {
        if (!started) {
            started = true;
            for (int i = 0; i < settings.concurrency(); i++) {
                visitors.execute(this::work);
            }
        }
    }

    /** Whether a source is due, or in trouble; when not, there is nothing to be slow with. */
    public boolean hasDueWork() {
        return queue.hasDueWork();
    }

    /** What was delivered so far. */
    public DeliveryStatus status() {
        return figures.status(queue.size(), malformed.total(), circuit.state());
    }

    /**
     * Asks for a look at each of these sources, which a sweep has found, after all sources with new intents.
     *
     * @return whether there is room for more
     */
    boolean enqueueSwept(Set<String> sources) throws InterruptedException {
        malformed.keep(sources);
        long now = clock.millis();
        sources.forEach(source -> queue.addBacklog(source, now, null));
        return awaitRoom(Duration.ZERO);
    }

    /** A sweep begins: what it doesn't find until its end has no intents. */
    void beginSweep() {
        malformed.begin();
    }

    /** A sweep has come to its end. */
    void endSweep() {
        malformed.end();
    }

    /** Waits for room in the backlog, at most so long; whether there is some. */
    boolean awaitRoom(Duration atMost) throws InterruptedException {
        return queue.awaitRoom(atMost.toMillis());
    }

    /** Whether an operator has paused it. */
    boolean isPaused() {
        return control.isPaused();
    }

    /** Asks for a look at a source's partition, now. */
    public void requestDrain(String source) {
        queue.add(source, clock.millis(), null);
    }

    /** Hears of what was changed lately; older changes are left to the one reader that hands them on by {@link #drainChanged}. */
    @Override
    public void onChange(List<JsonNode> documents) {
        hear(documents.stream().filter(document -> !isOld(document)).toList());
    }

    /**
     * The same as {@link #onChange} for changes of any age, and tells when every source whose intents are due has been looked at.
     *
     * @return completes when the looks are over, also when they met trouble; exceptionally when delivery was closed
     */
    public CompletableFuture<Void> drainChanged(List<JsonNode> documents) {
        return CompletableFuture.allOf(hear(documents).toArray(new CompletableFuture<?>[0]));
    }

    private List<CompletableFuture<Void>> hear(List<JsonNode> documents) {
        var looks = new ArrayList<CompletableFuture<Void>>();
        for (var document : documents) {
            if (isOpenIntent(document) && isNew(document)) {
                hear(document, looks);
            }
        }
        return looks;
    }

    private void hear(JsonNode intent, List<CompletableFuture<Void>> looks) {
        var source = intent.path("instanceId").asText();
        long now = clock.millis();
        long due = dueMillis(intent);
        var look = due > now ? null : new CompletableFuture<Void>();
        if (look != null) {
            looks.add(look);
        }
        if (isOld(intent)) {
            queue.addBacklog(source, Math.max(due, now), look);
        } else {
            queue.add(source, Math.max(due, now), look);
        }
    }

    /** By the store's time of its last change. */
    private boolean isOld(JsonNode document) {
        long changed = document.path("_ts").asLong();
        return changed > 0 && clock.millis() - changed * 1_000 > NEW_FOR.toMillis();
    }

    private boolean isNew(JsonNode intent) {
        return seenIntents.isNew(
                intent.path("id").asText(), intent.path("_etag").asText());
    }

    private static long dueMillis(JsonNode intent) {
        return Math.max(
                intent.path("deliverAfter").asLong(),
                intent.path("nextAttemptAt").asLong());
    }

    private static boolean isOpenIntent(JsonNode document) {
        return document.path("type").asText().equals("outbox_intent") && IntentStatus.isUndelivered(document);
    }

    private void work() {
        try {
            for (var look = queue.take(); look != null; look = queue.take()) {
                while (control.isPaused() && !queue.isClosed()) {
                    control.awaitResumed(PAUSE_CHECK_MILLIS);
                    control.beat();
                }
                if (control.isPaused()) {
                    // Found again by the sweep of the next start.
                    look.waiting().forEach(waiting -> waiting.cancel(false));
                } else {
                    look(look);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(SourceQueue.Look look) {
        var result = SourceDrain.Result.TROUBLE;
        try {
            result = (look.ofBacklog() ? backlogVisit : visit).of(look.source(), this::goesOn);
        } catch (CircuitOpenException e) {
            result = SourceDrain.Result.waitsUntil(clock.millis() + e.rest().toMillis());
        } catch (RuntimeException e) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.SOURCE, look.source())
                    .addKeyValue(LogKeys.REASON, FailureReason.of(e))
                    .log("source not worked off yet");
            LOG.atDebug()
                    .addKeyValue(LogKeys.SOURCE, look.source())
                    .setCause(e)
                    .log("why the source was not worked off");
        } catch (Error e) {
            // The thread has to go on: one that ends here would be missed by nobody.
            LOG.atError()
                    .addKeyValue(LogKeys.SOURCE, look.source())
                    .setCause(e)
                    .log("source not worked off, for an error");
        } finally {
            long nextMillis = result.inTrouble()
                    ? result.nextMillis(
                            clock.millis() + backoff.after(look.failures() + 1).toMillis())
                    : result.nextMillis();
            // Also after trouble: the store's is none of this process, and killing it mends nothing.
            control.beat();
            queue.giveBack(look, nextMillis, result.inTrouble());
            look.waiting().forEach(waiting -> waiting.complete(null));
        }
    }

    /** Asked in the middle of a look. */
    private boolean goesOn() {
        control.beat();
        return !control.isPaused() && !queue.isClosed();
    }

    /** Takes nothing new, waits for the looks under way, at most the drain timeout. */
    @Override
    public synchronized void close() {
        started = true;
        queue.close();
        Threads.drain(visitors, settings.drainTimeout());
        pairs.close();
    }
}
