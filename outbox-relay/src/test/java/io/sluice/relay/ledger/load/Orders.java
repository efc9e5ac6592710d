package io.sluice.relay.ledger.load;

import io.sluice.client.Command;
import io.sluice.relay.StopSignal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Gives orders at a steady rate, by a thread of its own. Thread-safe. */
public final class Orders implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final int MOST_IN_FLIGHT = 200;

    private final Taker taker;
    private final IntSupplier finished;
    private final IntConsumer alongside;
    private final List<Long> givenMillis = new CopyOnWriteArrayList<>();
    private final StopSignal stopped = new StopSignal();
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    private Thread thread = new Thread(() -> {});

    /** Takes commands, each once. */
    public interface Taker {
        /** Takes a command of this id. */
        void take(Command command, String id);
    }

    /**
     * Orders that {@code taker} takes.
     *
     * @param finished how many have ended; beyond some that have not, the next one waits
     * @param alongside what else is to be done with the order of that number
     */
    public Orders(Taker taker, IntSupplier finished, IntConsumer alongside) {
        this.taker = taker;
        this.finished = finished;
        this.alongside = alongside;
    }

    /** Starts the hubs, and gives so many orders. */
    public void start(int count, Duration gap) {
        for (int i = 0; i < Instances.HUBS; i++) {
            taker.take(start(Instances.hub(i)), "start-" + Instances.hub(i));
        }
        thread = new Thread(() -> giveAll(count, gap), "orders");
        thread.setDaemon(true);
        thread.start();
    }

    private static Command start(String instance) {
        return new Command.Start(instance, Story.NAME, Story.ORCHESTRATION_VERSION, "{}");
    }

    private void giveAll(int count, Duration gap) {
        try {
            long due = System.nanoTime();
            for (int i = 0; i < count && !stopped.restUntil(due); i++) {
                while (givenMillis.size() - finished.getAsInt() >= MOST_IN_FLIGHT) {
                    if (stopped.restFor(LOOK)) {
                        return;
                    }
                }
                alongside.accept(i);
                give(1);
                // What a busy machine made it miss is not made up for.
                due = Math.max(due + gap.toNanos(), System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failure.set(e);
        }
    }

    /** Gives this many at once. */
    public synchronized void give(int count) {
        for (int i = 0; i < count; i++) {
            int number = givenMillis.size();
            var order = Instances.order(number);
            givenMillis.add(System.currentTimeMillis());
            taker.take(start(order), "start-" + order);
            taker.take(new Command.RaiseEvent(order, Story.GO, "at once"), "go-" + order);
            if (Instances.isCancelled(number)) {
                taker.take(new Command.Cancel(order, "so it was ordered"), "cancel-" + order);
            }
        }
    }

    /** Waits so long for the last order to be given; says whether it was. */
    public boolean awaitAllGiven(Duration wait) throws InterruptedException {
        thread.join(wait.toMillis());
        return !thread.isAlive();
    }

    /** Ends the load; fails when an order could not be given. */
    public void stop() throws InterruptedException {
        stopped.give();
        thread.join();
        var failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("an order could not be given", failed);
        }
    }

    /** How many were given. */
    public int given() {
        return givenMillis.size();
    }

    /** When each order was given, by its number. */
    public List<Long> givenMillis() {
        return List.copyOf(givenMillis);
    }

    @Override
    public void close() {
        stopped.give();
    }
}
