package io.sluice.provider.world;

import io.sluice.provider.ProviderException;
import io.sluice.provider.world.judge.Ledger;
import io.sluice.provider.world.judge.Operation;
import io.sluice.provider.world.program.Program;
import io.sluice.provider.world.site.Site;
import io.sluice.provider.world.site.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Some processes and their store, under one seed. One thing happens at a time: a process goes on until its next request
 * or the end of its operation, a late request applies, or time passes. Which, the {@link Scheduler} decides; what
 * becomes of a request, the {@link FaultPlan}. After each step all is checked; in the end faults stop, and everything
 * that was begun must come to its end.
 */
final class World {
    static final int PROCESSES = 5;
    static final int ROOTS = 2;

    private static final int SHOWN = 20;

    private final Site site;
    private final Settings settings;
    private final FaultPlan faults;
    private final boolean immediateDelivery;
    private final Program.Code code;
    private final Trace trace = new Trace();
    private final Ledger ledger;
    private final @Nullable Announcements announcements;
    private final Transport transport;
    private final Scheduler scheduler;
    private volatile boolean calm;

    private World(Site site, Settings settings) {
        this.site = site;
        this.settings = settings;
        var random = new SplittableRandom(settings.seed());
        var strike = settings.strike();
        this.faults = strike == null ? new FaultPlan.Drawn(random) : new FaultPlan.Planned(strike);
        var story = story();
        this.immediateDelivery = story == null ? random.nextBoolean() : story.isDeliveredAtOnce();
        this.code = story == null ? Program.Code.drawn(settings.seed()) : story::program;
        this.ledger = new Ledger(site.time());
        var nodes = new ArrayList<Node>();
        for (int i = 0; i < (story == null ? PROCESSES : Story.PROCESSES); i++) {
            nodes.add(node(i, random.split()));
        }
        this.announcements = settings.isAnnounced() ? new Announcements(site, random.split(), settings.bug()) : null;
        this.transport = new Transport(this, site);
        this.scheduler = new Scheduler(this, nodes, transport, faults, random);
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
                world.scheduler.steps(),
                world.faults.atRisk(),
                List.copyOf(world.ledger.violations()),
                world.ledger.contents().lines(),
                world.trace);
    }

    private void run() {
        try {
            scheduler.begin();
            scheduler.draw(settings.steps());
            calm = true;
            faults.calm();
            if (announcements != null) {
                announcements.calm();
            }
            scheduler.settle();
        } catch (IllegalStateException e) {
            throw new IllegalStateException(
                    settings + " broke its harness: " + e.getMessage() + "\n" + trace.end(SHOWN), e);
        } finally {
            scheduler.end();
        }
        if (ledger.violations().isEmpty()) {
            ledger.end();
        }
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

    PlantedBug bug() {
        return settings.bug();
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
        if (!faults.mayBeHeard(asked, failure, ledger.locks())) {
            ledger.violation(asked + " heard of a fault that passed: " + failure.getMessage());
        }
    }

    void note(String who, String what) {
        int step = scheduler.steps();
        long millis = time().inWorldMillis();
        trace.add(() -> "%4d %7d ms %s %s".formatted(step, millis, who, what));
    }

    /** See {@link Transport#catchUp}. */
    void catchUp() {
        transport.catchUp();
    }

    /** See {@link Scheduler#arrived}. */
    void arrived() {
        scheduler.arrived();
    }

    void broke(Node node, Throwable failure) {
        note(node.name(), "broke: " + failure);
        scheduler.broke(failure);
    }
}
