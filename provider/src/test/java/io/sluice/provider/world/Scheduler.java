package io.sluice.provider.world;

import io.sluice.provider.request.RequestObserver.Way;
import io.sluice.provider.world.Node.Order;
import io.sluice.provider.world.judge.Operation;
import io.sluice.provider.world.site.Fault;
import io.sluice.provider.world.site.Grant;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Decides which process goes on next and when time passes; all others wait meanwhile. */
final class Scheduler {
    private static final int FIRST_RUNTIME = 2;
    private static final long PATIENCE_SECONDS = 60;
    /** How long a process of a story keeps what it has before it goes on; longer than clocks are apart. */
    private static final Duration HELD = Duration.ofSeconds(3);

    private static final int MOST_CALM_STEPS = 4_000;
    /** A runtime looks for turns and for activities by turns. */
    private static final int IDLE_ROUNDS = 2;
    /** Longer than any lock lives. */
    private static final int LONG_SECONDS = 31;

    private static final int[] JUMPS_IN_SECONDS = {1, 4, 7, 13, LONG_SECONDS};

    private final World world;
    private final List<Node> nodes;
    private final Transport transport;
    private final FaultPlan faults;
    private final SplittableRandom random;
    private final Semaphore arrivals = new Semaphore(0);
    private volatile @Nullable Throwable broken;
    private int steps;
    private int end = Integer.MAX_VALUE;

    Scheduler(World world, List<Node> nodes, Transport transport, FaultPlan faults, SplittableRandom random) {
        this.world = world;
        this.nodes = List.copyOf(nodes);
        this.transport = transport;
        this.faults = faults;
        this.random = random;
    }

    int steps() {
        return steps;
    }

    /** A process waits again. */
    void arrived() {
        arrivals.release();
    }

    /** A process failed as none may. */
    void broke(Throwable failure) {
        broken = failure;
    }

    /** Everybody is born. */
    void begin() {
        for (var node : nodes) {
            world.site().threads().execute(node);
            await();
        }
    }

    /** So many steps, each drawn. */
    void draw(int count) {
        while (steps < count && goesOn()) {
            step();
        }
    }

    /** Everybody is gone for good. */
    void end() {
        for (var node : nodes) {
            node.resume(Order.END);
            awaitArrival();
        }
        requireSound();
    }

    private void step() {
        int choice = random.nextInt(100);
        if (transport.late() > 0 && choice < 15) {
            applyLate(random.nextInt(transport.late()));
        } else if (choice < 21) {
            pass(JUMPS_IN_SECONDS[random.nextInt(JUMPS_IN_SECONDS.length)]);
        } else {
            advance(nodes.get(random.nextInt(nodes.size())));
        }
    }

    private void applyLate(int place) {
        steps++;
        transport.applyLate(place);
    }

    private void pass(int seconds) {
        world.time().pass(Duration.ofSeconds(seconds));
        world.note("world", seconds + " s pass");
        steps++;
    }

    /**
     * What is late arrives, then everybody goes on in turn, until there is nothing to do; when a round changed nothing,
     * time passes.
     */
    void settle() {
        while (goesOn() && transport.late() > 0) {
            applyLate(0);
        }
        end = steps + MOST_CALM_STEPS;
        while (goesOn() && !isSettled()) {
            long before = transport.seen();
            // One runtime is enough for what is left, unless it hears of its own share only; the others end what they
            // hold.
            round(node -> world.announcements() != null || !node.isIdle() || nodes.indexOf(node) <= FIRST_RUNTIME);
            world.ledger().waits().check();
            if (transport.seen() == before && transport.late() > 0) {
                applyLate(0);
            } else if (transport.seen() == before) {
                pass(LONG_SECONDS);
            }
        }
    }

    private boolean isSettled() {
        return world.ledger().isOver()
                && transport.late() == 0
                && nodes.stream().allMatch(Node::isDone);
    }

    private boolean goesOn() {
        return world.ledger().violations().isEmpty() && steps < end;
    }

    private void round(Predicate<Node> who) {
        nodes.stream().filter(who).forEach(node -> {
            do {
                advance(node);
            } while (node.operation() != null && goesOn());
        });
    }

    private void advance(Node node) {
        steps++;
        var stop = node.stop();
        var way = stop.way();
        boolean isHolding = way == null && !node.isIdle();
        world.time().pass(isHolding && world.story() != null ? HELD : Duration.ofMillis(1));
        if (way == null) {
            boolean dies = faults.isDeath();
            if (dies) {
                world.note(node.name(), "dies while it " + stop.what());
            }
            transport.close();
            resume(node, dies ? Order.DIE : Order.GO);
        } else {
            send(node, stop.what(), way);
        }
    }

    private void send(Node node, String what, Way way) {
        var fault = faults.next(node, way);
        if (fault.isHoldUp()) {
            holdUp(node, fault);
        } else if (fault == Fault.RENEWED) {
            renewBeside(node);
        }
        if (fault == Fault.DEATH_BEFORE) {
            world.note(node.name(), "dies before " + what);
            resume(node, Order.DIE);
            return;
        }
        if (fault != Fault.NONE) {
            node.struck();
        }
        var grant = new Grant(
                Objects.requireNonNull(node.operation()), fault, world.bug() == PlantedBug.CONDITIONS_FORGOTTEN);
        transport.open(grant, what);
        resume(node, fault == Fault.DEATH_AFTER ? Order.LAST : Order.GO);
        if (way == Way.READ_BESIDE && !node.hasGivenUp()) {
            grant.awaitAnswered();
        }
        if (fault == Fault.LATE) {
            transport.keep(grant);
        }
        transport.catchUp();
    }

    private void holdUp(Node held, Fault fault) {
        world.note(held.name(), "is held up before " + held.stop().what());
        pass(LONG_SECONDS);
        var isOver = endOf(fault, Objects.requireNonNull(held.operation()));
        int idle = 0;
        while (idle < IDLE_ROUNDS && goesOn() && !isOver.getAsBoolean()) {
            long before = transport.seen();
            round(node -> node != held && !isOver.getAsBoolean());
            idle = before == transport.seen() ? idle + 1 : 0;
        }
    }

    private BooleanSupplier endOf(Fault holdUp, Operation held) {
        var locks = world.ledger().locks();
        int taken = locks.taken();
        boolean bears = locks.isBorne(held);
        return switch (holdUp) {
            case ALL_HELD_UP -> () -> true;
            case HELD_UP_UNTIL_TAKEN -> bears ? () -> !locks.isBorne(held) : () -> locks.taken() > taken;
            default -> () -> false;
        };
    }

    private void renewBeside(Node node) {
        var renewal = node.renewal();
        transport.open(new Grant(renewal, Fault.NONE, false), "beside an ack");
        node.renewBeside(renewal);
        transport.catchUp();
    }

    private void resume(Node node, Order order) {
        node.resume(order);
        await();
    }

    private void await() {
        awaitArrival();
        requireSound();
    }

    private void requireSound() {
        var failure = broken;
        if (failure != null) {
            throw new IllegalStateException("a process broke", failure);
        }
    }

    private void awaitArrival() {
        try {
            if (!arrivals.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("a process hangs");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
