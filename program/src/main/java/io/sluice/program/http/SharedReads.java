package io.sluice.program.http;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * The reads of one endpoint that asks the store or Kafka, so that callers can't draw more from these than a little: one
 * read runs at a time, equal calls share it and, for a few seconds, its answer, and calls without the token begin one
 * read a second at most. A call that waits holds no thread, and waits for a limited time. Thread-safe.
 */
final class SharedReads {
    /** So long an answer serves equal calls. */
    static final Duration FRESH = Duration.ofSeconds(5);
    /** So long the answer to a failed read does. */
    static final Duration FAILURE_FRESH = Duration.ofSeconds(1);
    /** So many reads may begin at once after a quiet time. */
    static final int BURST = 10;
    /** Time between further reads. */
    static final Duration PACE = Duration.ofSeconds(1);

    /** So many reads of calls without the token wait or run: the others are for those with it. */
    private static final int MOST_UNTRUSTED = 4;

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);
    private static final int MOST_READS = 16;
    private static final int MOST_KEPT_CHARACTERS = 4 * 1024 * 1024;
    private static final int FIRST_FAILURE = 500;

    private final Scheduler.Worker oneAtATime;
    private final LongSupplier nanoTime;
    private final Map<Endpoint.Call, Read> reads = new LinkedHashMap<>();
    private long paidUntil;

    /** A read that was begun, and its answer. */
    private static final class Read {
        private final Sinks.One<Answer> answer = Sinks.one();
        private @Nullable Answer ended;
        private long endedAt;

        private boolean isStale(long now) {
            return ended != null && now - endedAt >= (ended.status() < FIRST_FAILURE ? FRESH : FAILURE_FRESH).toNanos();
        }
    }

    /**
     * Reads nothing yet.
     *
     * @param threads one of them runs all reads
     * @param nanoTime as {@link System#nanoTime}
     */
    SharedReads(Scheduler threads, LongSupplier nanoTime) {
        this.oneAtATime = threads.createWorker();
        this.nanoTime = nanoTime;
        this.paidUntil = nanoTime.getAsLong();
    }

    /**
     * The answer to a call, with its age in seconds if an earlier call has asked for it; 503 if there are too many
     * calls, or the read takes too long.
     *
     * @param trusted may begin reads at any pace
     * @param read gives the answer; runs later and in another thread, unless an equal call's answer serves
     */
    Mono<Answer> answer(Endpoint.Call call, boolean trusted, Supplier<Answer> read) {
        var joined = join(call, trusted, read);
        return joined == null
                ? Mono.just(Answer.busy("too many different reads at a time"))
                : joined.answer
                        .asMono()
                        .map(answer -> withAge(joined, answer))
                        .timeout(
                                LONGEST_WAIT,
                                Mono.fromSupplier(
                                        () -> Answer.busy("no answer within " + LONGEST_WAIT.toSeconds() + " s")));
    }

    private synchronized @Nullable Read join(Endpoint.Call call, boolean trusted, Supplier<Answer> read) {
        long now = nanoTime.getAsLong();
        reads.values().removeIf(each -> each.isStale(now));
        var known = reads.get(call);
        if (known != null) {
            return known;
        }
        if (!hasRoom() || !(trusted || (unfinished() < MOST_UNTRUSTED && pay(now)))) {
            return null;
        }
        var begun = new Read();
        reads.put(call, begun);
        try {
            oneAtATime.schedule(() -> run(begun, read));
        } catch (RejectedExecutionException e) {
            reads.remove(call);
            throw e;
        }
        return begun;
    }

    /** Whether one more may be remembered; the oldest answer makes room for it, but no read that still runs. */
    private boolean hasRoom() {
        if (reads.size() >= MOST_READS) {
            dropOldestEnded();
        }
        return reads.size() < MOST_READS;
    }

    private boolean dropOldestEnded() {
        for (Iterator<Read> each = reads.values().iterator(); each.hasNext(); ) {
            if (each.next().ended != null) {
                each.remove();
                return true;
            }
        }
        return false;
    }

    private long unfinished() {
        return reads.values().stream().filter(each -> each.ended == null).count();
    }

    private boolean pay(long now) {
        long from = paidUntil - now > 0 ? paidUntil : now;
        if (from - now > PACE.toNanos() * (BURST - 1)) {
            return false;
        }
        paidUntil = from + PACE.toNanos();
        return true;
    }

    private void run(Read begun, Supplier<Answer> read) {
        var answer = Answer.error(500, "the read failed");
        try {
            answer = read.get();
        } finally {
            end(begun, answer);
            begun.answer.tryEmitValue(answer);
        }
    }

    private synchronized void end(Read read, Answer answer) {
        read.ended = answer;
        read.endedAt = nanoTime.getAsLong();
        boolean tooMuch = reads.size() > 1 && keptCharacters() > MOST_KEPT_CHARACTERS;
        while (tooMuch) {
            tooMuch = dropOldestEnded() && reads.size() > 1 && keptCharacters() > MOST_KEPT_CHARACTERS;
        }
    }

    private long keptCharacters() {
        return reads.values().stream()
                .mapToLong(each -> each.ended == null ? 0 : each.ended.body().length())
                .sum();
    }

    private synchronized Answer withAge(Read read, Answer answer) {
        long age = Duration.ofNanos(nanoTime.getAsLong() - read.endedAt).toSeconds();
        return age > 0 ? answer.with("Age", String.valueOf(age)) : answer;
    }

    /** Lets later calls read anew, because something has changed. */
    synchronized void forget() {
        reads.clear();
    }
}
