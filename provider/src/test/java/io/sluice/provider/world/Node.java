package io.sluice.provider.world;

import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.SimulatedMachine;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.RequestObserver;
import io.sluice.provider.request.ServiceClock;
import io.sluice.provider.world.judge.Operation;
import io.sluice.provider.world.judge.Operation.Kind;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A process: it lives on a thread of its own, which runs only between two orders of the world. Before every request and
 * between operations it stops and waits for the next one. When it dies another takes its place, with nothing but the
 * store.
 */
abstract class Node implements Runnable {
    static final Duration LOCK = Duration.ofSeconds(30);
    static final String IDLE = "is idle";
    private static final String BORN = "is born";
    private static final long MOST_SKEW_MILLIS = 30_000;
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    final World world;
    final SplittableRandom random;
    private final int number;
    private final String role;
    private final Semaphore go = new Semaphore(0);
    private volatile Stop stop = new Stop("unborn", null);
    private volatile Order order = Order.GO;
    private volatile @Nullable Operation operation;
    private volatile @Nullable Thread thread;
    private volatile boolean gaveUp;
    private int faults;
    private long begunNanos;
    private boolean dead;
    private int lives;
    private @Nullable CosmosProvider provider;
    private @Nullable SimulatedMachine machine;
    private @Nullable WorkFeed feed;

    /** Where it waits: before a request of this way, or (null) between operations. */
    record Stop(String what, RequestObserver.@Nullable Way way) {
        boolean isRequest() {
            return way != null;
        }
    }

    /** What it is told when it waits. */
    enum Order {
        GO,
        /** Send what you were about to send, and die. */
        LAST,
        DIE,
        END
    }

    /** The process is gone, or the world. Nothing of the provider catches it. */
    static final class Gone extends Error {
        private static final long serialVersionUID = 1L;

        private final boolean forGood;

        Gone(boolean forGood) {
            super("gone", null, false, false);
            this.forGood = forGood;
        }
    }

    Node(World world, int number, String role, SplittableRandom random) {
        this.world = world;
        this.number = number;
        this.role = role;
        this.random = random;
    }

    /** What it does while it lives. */
    abstract void live();

    /** Whether it has nothing more in mind that nobody waits for. */
    boolean isDone() {
        return true;
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        boolean over = false;
        while (!over) {
            try {
                // The first of all is to wait: who is born runs no sooner than anybody else.
                dead = false;
                operation = null;
                stopAt(new Stop(BORN, null));
                born();
                while (true) {
                    live();
                }
            } catch (Gone gone) {
                over = gone.forGood;
            } catch (RuntimeException | Error e) {
                world.broke(this, e);
                over = true;
            }
        }
        world.arrived();
    }

    private void observe(ServiceClock clock, Duration ago) {
        long then = now() - ago.toNanos();
        clock.observe(DATE.format(Instant.ofEpochMilli(world.time().millis() - ago.toMillis())), then, then);
    }

    private void born() {
        lives++;
        long skew = random.nextLong(-MOST_SKEW_MILLIS, MOST_SKEW_MILLIS + 1);
        var own = InstantSource.offset(world.time(), Duration.ofMillis(skew));
        var corrected = new ServiceClock(own, world.time()::nanos);
        // As opening a store does, which asks twice where the clock is off.
        observe(corrected, ServiceClock.CONFIRMED_AFTER);
        observe(corrected, Duration.ZERO);
        var clock = world.bug() == PlantedBug.OWN_CLOCKS ? own : corrected;
        machine = new SimulatedMachine(clock, world.time()::nanos, random.split(), new Gate(corrected));
        var announcements = world.announcements();
        if (feed != null) {
            feed.close();
        }
        if (announcements == null) {
            provider = machine.provider(store(), world.immediateDelivery());
        } else {
            feed = announcements.join();
            provider = machine.provider(store(), world.immediateDelivery(), feed);
        }
    }

    private long now() {
        return world.time().nanos();
    }

    CosmosStore store() {
        return world.site().store(number);
    }

    CosmosProvider provider() {
        return Objects.requireNonNull(provider);
    }

    SimulatedMachine machine() {
        return Objects.requireNonNull(machine);
    }

    /** Its name, and which of its lives it is in. */
    final String name() {
        return role + number + "/" + lives;
    }

    /** Where it waits now. */
    final Stop stop() {
        return stop;
    }

    /** Whether it holds nothing and does nothing. */
    final boolean isIdle() {
        return operation == null && (stop.what().equals(IDLE) || stop.what().equals(BORN));
    }

    /** What it is doing. */
    final @Nullable Operation operation() {
        return operation;
    }

    /** How many requests of the operation were struck. */
    final int faults() {
        return faults;
    }

    /** A moment at which anything may happen to others, and time may pass. */
    final void pause(String what) {
        stopAt(new Stop(what, null));
    }

    /** What it asks the provider for next, under this lock; null for none. */
    final Operation asking(Kind kind, @Nullable String token, @Nullable TurnAck ack) {
        return new Operation(name(), kind, token, ack, world.time().millis(), new ArrayList<>());
    }

    /** Asks the provider for something that bears no lock. */
    final <T> T ask(Kind kind, Supplier<T> call) {
        return ask(asking(kind, null, null), call);
    }

    /** The same for what gives nothing back. */
    final void tell(Kind kind, Runnable call) {
        tell(asking(kind, null, null), call);
    }

    final <T> T ask(Operation asked, Supplier<T> call) {
        operation = asked;
        faults = 0;
        begunNanos = now();
        try {
            T result = call.get();
            world.catchUp();
            if (dead) {
                throw new Gone(false);
            }
            world.note(name(), asked.kind() + " " + Trace.shown(result));
            return result;
        } catch (ProviderException e) {
            world.catchUp();
            if (dead) {
                throw new Gone(false);
            }
            world.heard(asked, e);
            world.note(
                    name(),
                    asked.kind() + (e.retryable() ? " failed in passing: " : " failed permanently: ") + e.getMessage());
            throw e;
        } finally {
            operation = null;
        }
    }

    final void tell(Operation asked, Runnable call) {
        ask(asked, () -> {
            call.run();
            return "done";
        });
    }

    /** The renewal of the lock under which it acks now. */
    final Operation renewal() {
        var ack = Objects.requireNonNull(operation);
        return asking(ack.kind() == Kind.ACK_TURN ? Kind.RENEW_TURN : Kind.RENEW_ACTIVITY, ack.token(), null);
    }

    /** Another of its threads renews a lock while it waits: it fails only where there is nothing to hold any more. */
    final void renewBeside(Operation renewal) {
        var token = Objects.requireNonNull(renewal.token());
        Runnable call = renewal.kind() == Kind.RENEW_TURN
                ? () -> provider().renewOrchestrationItemLock(token, LOCK)
                : () -> provider().renewWorkItemLock(token, LOCK);
        try {
            CompletableFuture.runAsync(call, world.site().threads()).join();
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof ProviderException failure) || failure.retryable()) {
                throw e;
            }
            world.ledger().locks().failed(renewal, failure);
        }
    }

    /** Lets it go on, until it waits again; called by the world. */
    final void resume(Order next) {
        order = next;
        go.release();
    }

    /** Whether nobody wants the answer of its last request any more, which may not have been sent. */
    final boolean hasGivenUp() {
        return gaveUp;
    }

    final void struck() {
        faults++;
    }

    private void stopAt(Stop next) {
        if (dead) {
            throw new Gone(false);
        }
        stop = next;
        world.arrived();
        go.acquireUninterruptibly();
        switch (order) {
            case GO -> {}
            case LAST -> dead = true;
            case DIE -> {
                dead = true;
                throw new Gone(false);
            }
            case END -> throw new Gone(true);
        }
    }

    /** Stops it before each request of its own thread, and keeps its clock right by the answers. */
    private final class Gate implements RequestObserver {
        private final ServiceClock clock;

        Gate(ServiceClock clock) {
            this.clock = clock;
        }

        @Override
        public void sending(Call call, Way way) {
            if (Thread.currentThread() == thread) {
                stopAt(new Stop(call.operation(), way));
                gaveUp = false;
            }
        }

        @Override
        public void ended(Ended request) {
            gaveUp = request.kind() == RequestObserver.Kind.AMBIGUOUS;
            var date = request.headers().get("date");
            if (date != null) {
                // Sent no sooner than its operation began, which is all that matters.
                clock.observe(date, begunNanos, now());
            }
        }
    }
}
