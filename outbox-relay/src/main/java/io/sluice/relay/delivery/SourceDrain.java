package io.sluice.relay.delivery;

import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentSlice;
import io.sluice.relay.control.RelayMemory;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Drains a source: queries its partition for undelivered intents, delivers each pair of source and target in order,
 * different pairs concurrently, and removes the delivered ones in one batch. A pair stops at the first intent that is
 * not due, is failing, or is poison, or takes too long; the other pairs continue. Thread-safe.
 *
 * <p>A source may have tens of thousands of intents. They are read slice by slice, in the order of delivery, and
 * handled round by round: the intents that a round delivered are removed before the next round begins, so that a
 * process that dies leaves few for which its successor has to look up receipts. A pair that has stopped stays so until
 * the drain ends; later slices are read without it. A drain that has handled many intents ends early, so that other
 * sources are drained too.
 */
final class SourceDrain {
    /** Intents of one pair in a round. */
    private static final int MAX_ROUND = 100;

    /** Intents of all pairs; a drain that has handled so many ends with its round. */
    private static final int MAX_DRAIN = 1_000;

    private final Outbox outbox;
    private final PairRounds pairs;
    private final RelayMemory memory;
    private final InstantSource clock;

    /** The state of one drain; used by one thread. */
    private static final class Progress {
        private final String source;
        private final Set<String> stoppedTargets = new HashSet<>();
        private DrainResult result = DrainResult.NOTHING_LEFT;
        private int settled;
        private IntentSlice.@Nullable Place next;
        private boolean endedEarly;

        private Progress(String source) {
            this.source = source;
        }

        private void add(String target, PairRound.Result round) {
            result = result.merge(round.left());
            settled += round.settled();
            if (round.stopped()) {
                stoppedTargets.add(target);
            }
        }
    }

    SourceDrain(Outbox outbox, PairRounds pairs, RelayMemory memory, InstantSource clock) {
        this.outbox = outbox;
        this.pairs = pairs;
        this.memory = memory;
        this.clock = clock;
    }

    /**
     * Drains a source.
     *
     * @param mayContinue asked after every round and slice; false ends the drain early, and the source is due again at
     *     once
     * @throws io.sluice.provider.ProviderException when the source's partition can't be read or written; nothing is
     *     lost
     */
    DrainResult run(String source, BooleanSupplier mayContinue) {
        var progress = new Progress(source);
        progress.stoppedTargets.addAll(pairs.slow().targetsOf(source));
        var delivered = pairs.slow().takeDelivered(source);
        if (!delivered.isEmpty()) {
            outbox.remove(source, delivered);
        }
        boolean hasMore;
        do {
            hasMore = memory.readingIntents(bytes(progress.next), () -> settleSlice(progress, mayContinue));
        } while (hasMore && mayContinue.getAsBoolean());
        return progress.next == null && !progress.endedEarly
                ? progress.result
                : progress.result.merge(DrainResult.dueAt(clock.millis()));
    }

    private static long bytes(IntentSlice.@Nullable Place slice) {
        return slice == null ? 0 : slice.bytes();
    }

    /** Reads a slice and handles its intents; returns whether this drain reads another one. */
    private boolean settleSlice(Progress progress, BooleanSupplier mayContinue) {
        var slice = outbox.undelivered(progress.source, progress.next, progress.stoppedTargets);
        progress.next = slice.next();
        var waiting = byTarget(slice.intents());
        waiting.keySet().removeAll(progress.stoppedTargets);
        while (!waiting.isEmpty()) {
            settleRound(progress, waiting);
            if (!mayContinue.getAsBoolean() || progress.settled >= MAX_DRAIN) {
                progress.endedEarly = !waiting.isEmpty();
                return false;
            }
        }
        return progress.next != null;
    }

    private static Map<String, Deque<Intent>> byTarget(List<Intent> intents) {
        Map<String, Deque<Intent>> pairs = new LinkedHashMap<>();
        intents.forEach(intent -> pairs.computeIfAbsent(intent.targetInstance(), target -> new ArrayDeque<>())
                .add(intent));
        return pairs;
    }

    /**
     * Handles the first intents of each pair, and leaves in {@code waiting} the pairs that continue. Removes the
     * delivered intents, also when one of the pairs failed.
     */
    private void settleRound(Progress progress, Map<String, Deque<Intent>> waiting) {
        var rounds = waiting.values().stream()
                .map(pair -> pairs.start(progress.source, pollRound(pair)))
                .toList();
        pairs.await(rounds);
        var delivered = new ArrayList<Intent>();
        CompletionException failure = null;
        for (var round : rounds) {
            try {
                var result = round.ended().join();
                delivered.addAll(result.delivered());
                progress.add(round.target(), result);
            } catch (CompletionException e) {
                failure = e;
            }
        }
        if (!delivered.isEmpty()) {
            outbox.remove(progress.source, delivered);
        }
        if (failure != null) {
            throw failure;
        }
        waiting.values().removeIf(Deque::isEmpty);
        waiting.keySet().removeAll(progress.stoppedTargets);
    }

    private static List<Intent> pollRound(Deque<Intent> pair) {
        var round = new ArrayList<Intent>();
        while (round.size() < MAX_ROUND && !pair.isEmpty()) {
            round.add(pair.remove());
        }
        return round;
    }
}
