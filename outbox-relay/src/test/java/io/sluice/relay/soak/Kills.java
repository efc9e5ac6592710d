package io.sluice.relay.soak;

import io.sluice.relay.StopSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Kills programs in turns, each time another of them, and starts a successor at once; by a thread of its own. One of
 * five may be killed while it starts; the others are given the time to begin to work, which on a busy machine is longer
 * than the time between two kills.
 */
final class Kills implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(90);
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final int DIES_EARLY = 5;

    private final List<Victim> kinds;
    private final List<Program> victims = new ArrayList<>();
    private final Duration between;
    private final Random random;
    private final Thread thread = new Thread(this::repeat, "kills");
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final int[] kills;
    private final List<String> endedAlone = new CopyOnWriteArrayList<>();
    private final StopSignal end = new StopSignal();

    /**
     * One to kill.
     *
     * @param start starts the successor of that number; the first is 0
     * @param works what it prints when it begins to work
     */
    record Victim(IntFunction<Program> start, String works) {}

    /**
     * Starts the first of each.
     *
     * @param between mean time between two kills
     */
    Kills(List<Victim> kinds, Duration between, long seed) {
        this.kinds = kinds;
        this.between = between;
        this.random = new Random(seed);
        this.kills = new int[kinds.size()];
        kinds.forEach(kind -> victims.add(kind.start().apply(0)));
    }

    /** Waits until the first of each works. */
    void awaitWorking() throws InterruptedException {
        for (int i = 0; i < kinds.size(); i++) {
            victims.get(i).awaitLine(kinds.get(i).works());
        }
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    private void repeat() {
        try {
            for (int number = 0; !end.restFor(untilNext()); number++) {
                int which = number % victims.size();
                if (random.nextInt(DIES_EARLY) > 0) {
                    awaitWork(victims.get(which), kinds.get(which).works());
                }
                if (!end.isGiven()) {
                    killOne(which);
                }
            }
        } catch (InterruptedException e) {
            end.give();
        } catch (RuntimeException e) {
            failure.set(e);
        }
    }

    private Duration untilNext() {
        return Duration.ofMillis((long) (between.toMillis() * (0.5 + random.nextDouble())));
    }

    /** Waits until it works, has ended or has had the time to start; or until the killing ends. */
    private void awaitWork(Program program, String works) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + START.toNanos();
        while (program.isAlive() && !program.hasPrinted(works) && System.nanoTime() - deadlineNanos < 0) {
            if (end.restFor(LOOK)) {
                return;
            }
        }
    }

    private synchronized void killOne(int which) throws InterruptedException {
        var victim = victims.get(which);
        if (!victim.isAlive()) {
            endedAlone.add(victim.name());
        }
        victim.kill();
        victims.set(which, kinds.get(which).start().apply(++kills[which]));
    }

    /** Ends the killing. */
    void end() throws InterruptedException {
        end.give();
        thread.interrupt();
        thread.join();
        var failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("the killing failed", failed);
        }
    }

    /** How often each was killed. */
    synchronized List<Integer> counts() {
        var counts = new ArrayList<Integer>();
        for (int count : kills) {
            counts.add(count);
        }
        return counts;
    }

    /** Names of those that had ended before they were killed. */
    List<String> endedAlone() {
        return List.copyOf(endedAlone);
    }

    @Override
    public void close() {
        end.give();
        thread.interrupt();
        victims.forEach(Program::close);
    }
}
