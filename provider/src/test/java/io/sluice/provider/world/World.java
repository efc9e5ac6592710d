package io.sluice.provider.world;

import io.sluice.provider.ProviderException;
import io.sluice.provider.request.RequestObserver.Way;
import io.sluice.provider.world.Node.Order;
import io.sluice.provider.world.judge.Ledger;
import io.sluice.provider.world.judge.Operation;
import io.sluice.provider.world.program.Program;
import io.sluice.provider.world.site.Fault;
import io.sluice.provider.world.site.Grant;
import io.sluice.provider.world.site.Site;
import io.sluice.provider.world.site.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Some processes and their store, under one seed. One thing happens at a time: a process goes on until its next request
 * or the end of its operation, a late request applies, or time passes. Which, and what becomes of a request, the seed
 * decides. After each step all is checked; in the end faults stop, and everything that was begun must come to its end.
 */
final class World {
    static final int PROCESSES = 5;
    static final int ROOTS = 2;

    private static final int FIRST_RUNTIME = 2;

    private static final long PATIENCE_SECONDS = 60;
    private static final int MOST_CALM_STEPS = 4_000;
    private static final int MOST_FAULTS_AT_ONCE = 2;
    private static final int[] FAULTS_IN_A_HUNDRED = {0, 8, 20, 35};
    /** Longer than any lock lives. */
    private static final int LONG_SECONDS = 31;

    private static final int[] JUMPS_IN_SECONDS = {1, 4, 7, 13, LONG_SECONDS};

    private final Site site;
    private final Settings settings;
    private final SplittableRandom random;
    private final int faultsInAHundred;
    private final boolean immediateDelivery;
    private final Program.Code code;
    private final Trace trace = new Trace();
    private final Ledger ledger;
    private final @Nullable Announcements announcements;
    private final Semaphore arrivals = new Semaphore(0);
    private final List<Node> nodes = new ArrayList<>();
    private final List<Grant> late = new ArrayList<>();
    private volatile boolean calm;
    private volatile @Nullable Throwable broken;
    private long seen;
    private @Nullable Grant current;
    private String sent = "";
    private int steps;
    private int end = Integer.MAX_VALUE;
    private int atRisk;

    /**
     * What is simulated.
     *
     * @param steps while faults strike
     * @param isAnnounced whether processes learn of work by a feed
     * @param strike the only fault, and the story in which it strikes; null where the seed decides
     */
    record Settings(
            long seed,
            int steps,
            Plant plant,
            boolean isAnnounced,
            @Nullable Strike strike) {
        Settings(long seed, int steps, Plant plant, boolean isAnnounced) {
            this(seed, steps, plant, isAnnounced, null);
        }

        Settings(Strike strike, boolean isAnnounced) {
            this(1, 0, Plant.NONE, isAnnounced, strike);
        }
    }

    /**
     * What came of it.
     *
     * @param steps in all, with those until everything was at its end
     * @param atRisk how many requests a fault could be planned for
     * @param left what the documents say in the end
     */
    record Outcome(int steps, int atRisk, List<String> violations, List<String> left, List<String> trace) {
        /** The same for one of thousands, of which nothing needs telling. */
        Outcome inShort() {
            return violations.isEmpty() ? new Outcome(steps, atRisk, List.of(), List.of(), List.of()) : this;
        }

        /** For a failure, with what a test is to be told to play it again. */
        String describe(String again) {
            return again + " after " + steps + " steps: "
                    + violations.stream().limit(5).toList()
                    + "\nreplay it: mvn test -pl provider -am -Dsurefire.failIfNoSpecifiedTests=false -Dtest=" + again
                    + "\nits last steps:\n"
                    + String.join("\n", trace.subList(Math.max(0, trace.size() - 40), trace.size()));
        }
    }

    private World(Site site, Settings settings) {
        this.site = site;
        this.settings = settings;
        this.random = new SplittableRandom(settings.seed());
        this.faultsInAHundred = FAULTS_IN_A_HUNDRED[random.nextInt(FAULTS_IN_A_HUNDRED.length)];
        boolean drawn = random.nextBoolean();
        var story = story();
        this.immediateDelivery = story == null ? drawn : story.isDeliveredAtOnce();
        this.code = story == null ? Program.Code.drawn(settings.seed()) : story::program;
        this.ledger = new Ledger(site.time());
        for (int i = 0; i < (story == null ? PROCESSES : Story.PROCESSES); i++) {
            nodes.add(node(i, random.split()));
        }
        this.announcements = settings.isAnnounced() ? new Announcements(site, random.split(), settings.plant()) : null;
    }

    private Node node(int number, SplittableRandom own) {
        return switch (number) {
            case 0 -> new ClientNode(this, number, own);
            case 1 -> new RelayNode(this, number, own);
            default -> new RuntimeNode(this, number, own);
        };
    }

    static String root(int number) {
        return "root" + number;
    }

    /** Plays a world from its beginning to its end. */
    static Outcome play(Site site, Settings settings) {
        site.clear();
        var world = new World(site, settings);
        world.run();
        return new Outcome(
                world.steps,
                world.atRisk,
                List.copyOf(world.ledger.violations()),
                world.ledger.contents().lines(),
                world.trace.lines());
    }

    VirtualTime time() {
        return site.time();
    }

    Site site() {
        return site;
    }

    Ledger ledger() {
        return ledger;
    }

    Plant plant() {
        return settings.plant();
    }

    private long seed() {
        return settings.seed();
    }

    /** What instances do. */
    Program.Code code() {
        return code;
    }

    /** What is played; null where the seed decides. */
    @Nullable
    Story story() {
        var strike = settings.strike();
        return strike == null ? null : strike.story();
    }

    /** What announces work; null where processes query the store. */
    @Nullable
    Announcements announcements() {
        return announcements;
    }

    boolean immediateDelivery() {
        return immediateDelivery;
    }

    /** Whether nothing goes wrong any more, so that everybody should end what there is. */
    boolean isCalm() {
        return calm;
    }

    /** A caller was told of a failure. */
    void heard(Operation asked, ProviderException failure) {
        var strike = settings.strike();
        if (strike != null && !strike.mayBeHeard(asked, failure, ledger.locks())) {
            ledger.violation(asked + " heard of a fault that passed: " + failure.getMessage());
        }
    }

    void note(String who, String what) {
        trace.add("%4d %7d ms %s %s".formatted(steps, time().inWorldMillis(), who, what));
    }

    /** A process waits again. */
    void arrived() {
        arrivals.release();
    }

    void broke(Node node, Throwable failure) {
        note(node.name(), "broke: " + failure);
        broken = failure;
    }

    private void run() {
        seen = site.lsn();
        try {
            for (var node : nodes) {
                site.threads().execute(node);
                await();
            }
            while (steps < settings.steps() && ledger.violations().isEmpty()) {
                step();
            }
            calm = true;
            if (announcements != null) {
                announcements.calm();
            }
            while (ledger.violations().isEmpty() && !late.isEmpty()) {
                applyLate(0);
            }
            settle();
        } finally {
            for (var node : nodes) {
                node.resume(Order.END);
                awaitArrival();
            }
        }
        var failure = broken;
        if (failure != null) {
            throw new IllegalStateException("seed " + seed() + " broke its harness\n" + trace.end(20), failure);
        }
        if (ledger.violations().isEmpty()) {
            ledger.end();
        }
    }

    private void step() {
        int choice = random.nextInt(100);
        if (!late.isEmpty() && choice < 15) {
            applyLate(random.nextInt(late.size()));
        } else if (choice < 21) {
            pass(JUMPS_IN_SECONDS[random.nextInt(JUMPS_IN_SECONDS.length)]);
        } else {
            advance(nodes.get(random.nextInt(nodes.size())));
        }
    }

    private void pass(int seconds) {
        time().pass(Duration.ofSeconds(seconds));
        note("world", seconds + " s pass");
        steps++;
    }

    /** Everybody goes on in turn, until there is nothing to do; when a round changed nothing, time passes. */
    private void settle() {
        end = steps + MOST_CALM_STEPS;
        while (goesOn() && !isSettled()) {
            long before = seen;
            // One runtime is enough for what is left, unless it hears of its own share only; the others end what they
            // hold.
            round(node -> announcements != null || !node.isIdle() || nodes.indexOf(node) <= FIRST_RUNTIME);
            ledger.waits().check();
            if (seen == before && !late.isEmpty()) {
                applyLate(0);
            } else if (seen == before) {
                pass(LONG_SECONDS);
            }
        }
    }

    private void round(Predicate<Node> who) {
        nodes.stream().filter(who).forEach(node -> {
            do {
                advance(node);
            } while (node.operation() != null && goesOn());
        });
    }

    private boolean goesOn() {
        return ledger.violations().isEmpty() && steps < end;
    }

    private void holdUp(Node held) {
        note(held.name(), "is held up before " + held.stop().what());
        pass(LONG_SECONDS);
        long before;
        do {
            before = seen;
            round(node -> node != held);
        } while (seen != before && goesOn());
    }

    private boolean isSettled() {
        return ledger.isOver() && late.isEmpty() && nodes.stream().allMatch(Node::isDone);
    }

    private void advance(Node node) {
        steps++;
        time().pass(Duration.ofMillis(1));
        var stop = node.stop();
        if (!stop.isRequest()) {
            boolean dies = !calm && faultsInAHundred > 0 && random.nextInt(100) == 0;
            if (dies) {
                note(node.name(), "dies while it " + stop.what());
            }
            current = null;
            site.wire().grant(null);
            node.resume(dies ? Order.DIE : Order.GO);
            await();
            return;
        }
        var way = Objects.requireNonNull(stop.way());
        var fault = fault(node, way);
        if (fault == Fault.HELD_UP) {
            holdUp(node);
        }
        var grant = new Grant(Objects.requireNonNull(node.operation()), fault, plant() == Plant.CONDITIONS_FORGOTTEN);
        if (fault == Fault.DEATH_BEFORE) {
            note(node.name(), "dies before " + stop.what());
            node.resume(Order.DIE);
            await();
            return;
        }
        if (fault != Fault.NONE) {
            node.struck();
        }
        current = grant;
        sent = stop.what();
        site.wire().grant(grant);
        node.resume(fault == Fault.DEATH_AFTER ? Order.LAST : Order.GO);
        await();
        if (way == Way.READ_BESIDE) {
            grant.awaitAnswered();
        }
        if (fault == Fault.LATE) {
            late.add(grant);
        }
        catchUp();
    }

    private Fault fault(Node node, Way way) {
        var strike = settings.strike();
        if (strike != null) {
            return planned(strike, Objects.requireNonNull(node.operation()).kind(), way);
        }
        if (calm || node.faults() >= MOST_FAULTS_AT_ONCE || random.nextInt(100) >= faultsInAHundred) {
            return Fault.NONE;
        }
        var possible = Fault.of(way);
        var fault = possible.get(random.nextInt(possible.size()));
        // The dead are many enough.
        return fault.isDeath() && random.nextInt(3) > 0 ? Fault.NONE : fault;
    }

    /** Only what changes something can come late, and what nobody waits for may be given up while it is held up. */
    private Fault planned(Strike strike, Operation.Kind kind, Way way) {
        boolean isStruck = strike.story().isAtRisk(kind) && ++atRisk == strike.request();
        var fault = strike.fault();
        boolean isMeant =
                (fault != Fault.LATE || way == Way.WRITE) && (fault != Fault.HELD_UP || way != Way.READ_BESIDE);
        return isStruck && isMeant ? fault : Fault.NONE;
    }

    private void applyLate(int place) {
        steps++;
        var grant = late.remove(place);
        current = grant;
        sent = "arrives late";
        site.wire().grant(grant);
        grant.applyLate();
        catchUp();
    }

    /** Looks at what the last request changed; also called by its sender, before it judges what it was told. */
    void catchUp() {
        var grant = current;
        if (grant == null) {
            return;
        }
        grant.takeAnswered()
                .forEach(request -> note(
                        grant.operation().process(),
                        grant.operation().kind() + " " + sent + ": " + Trace.request(request)
                                + (grant.fault() == Fault.NONE ? "" : " " + grant.fault())));
        var changes = site.changesAfter(seen);
        seen = site.lsn();
        ledger.changed(changes, grant.operation());
    }

    private void await() {
        awaitArrival();
        var failure = broken;
        if (failure != null) {
            throw new IllegalStateException("a process broke", failure);
        }
    }

    private void awaitArrival() {
        try {
            if (!arrivals.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("seed " + seed() + ": a process hangs\n" + trace.end(20));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
