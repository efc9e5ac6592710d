package io.sluice.provider.world;

import io.sluice.provider.InstanceExt;
import io.sluice.provider.InstanceFilter;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.world.judge.Operation.Kind;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * A client and an operator: it starts instances, raises what they wait for, sends, cancels, looks, prunes and deletes.
 */
final class ClientNode extends Node {
    private static final InstanceExt GIVEN_ALONG = new InstanceExt("{\"status\":\"PENDING\"}");
    private static final String AFTER_ALL = "afterAll";
    private static final long NO_EVENT = 1_000;

    /** An activity that no turn waits for. */
    static final String ERRAND = "errand";

    private int started;
    private int asked;

    ClientNode(World world, int number, SplittableRandom random) {
        super(world, number, "client", random);
    }

    @Override
    void live() {
        pause(IDLE);
        try {
            if (world.story() != null) {
                follow();
            } else if (started < World.ROOTS && (world.isCalm() || started == 0 || random.nextInt(3) == 0)) {
                start();
            } else if (world.isCalm()) {
                raise();
            } else {
                something();
            }
        } catch (ProviderException e) {
            if (!e.retryable()) {
                world.ledger().violation("a client's call failed permanently: " + e.getMessage());
            }
        }
    }

    @Override
    boolean isDone() {
        return world.story() == null
                ? started == World.ROOTS
                : started == 1 && asked == world.story().asked();
    }

    private void follow() {
        var root = World.root(0);
        if (started == 0) {
            start();
        } else if (!isDone() && world.ledger().isOver()) {
            if (world.story() == Story.REMOVAL) {
                look(root, 0);
                asked += (asked == 0 ? prune(root) : delete(root, false)) ? 1 : 0;
            } else {
                afterAll(root);
            }
        } else {
            raise();
        }
    }

    /** One more turn, which removes what another one put in place after it had lost its lock. */
    private void afterAll(String root) {
        if (!world.ledger().isRaised(root, AFTER_ALL)) {
            enqueue(new WorkItem.ExternalRaised(root, AFTER_ALL, "{}"));
        }
        asked++;
    }

    private void start() {
        var root = World.root(started);
        var start = new WorkItem.StartOrchestration(root, "Root", "{}", "1.0.0", null, null, null, 1);
        if (world.story() == Story.UNIQUE_START) {
            var unique = InstanceStart.of(start).withExt(GIVEN_ALONG).withRequestId("the-only-one");
            ask(Kind.ENQUEUE, () -> provider().starts().startInstance(unique));
            if (!world.ledger().hasQueued("worker_queue")) {
                var errand = new WorkItem.ActivityExecute(root, 1, NO_EVENT, ERRAND, "{}", null, null);
                tell(Kind.ENQUEUE, () -> provider().enqueueForWorker(errand));
            }
        } else if (world.story() == null || !world.ledger().isKnown(root)) {
            // In a story, whoever died over it looks what became of it before asking again.
            enqueue(start);
        }
        world.ledger().wishes().started(root);
        started++;
    }

    private void enqueue(WorkItem message) {
        tell(Kind.ENQUEUE, () -> provider().enqueueForOrchestrator(message, null));
    }

    private void raise() {
        var awaited = List.copyOf(world.ledger().lives().awaited().entrySet());
        if (!awaited.isEmpty()) {
            var one = awaited.get(random.nextInt(awaited.size()));
            if (world.isCalm() && world.ledger().isRaised(one.getKey(), one.getValue())) {
                return;
            }
            enqueue(new WorkItem.ExternalRaised(one.getKey(), one.getValue(), "{}"));
        }
    }

    private void something() {
        var root = World.root(random.nextInt(World.ROOTS));
        int choice = random.nextInt(100);
        if (choice < 35) {
            raise();
        } else if (choice < 42) {
            enqueue(new WorkItem.ExternalRaised(root, "event" + random.nextInt(3), "{}"));
        } else if (choice < 48) {
            enqueue(new WorkItem.QueueMessage(root, "queue", "{}"));
        } else if (choice < 54) {
            enqueue(new WorkItem.CancelInstance(root, "asked to"));
        } else if (choice < 80) {
            look(root, random.nextInt(6));
        } else if (choice < 90) {
            prune(root);
        } else if (asked == 0) {
            // Once, or little would be left to look at.
            asked++;
            delete(root, choice < 95);
        }
    }

    private ProviderAdmin admin() {
        return Objects.requireNonNull(provider().asManagementCapability()).orElseThrow();
    }

    private void look(String root, int choice) {
        switch (choice) {
            case 0 -> asks(Kind.LOOK, () -> admin().listInstances());
            case 1 -> asks(Kind.LOOK, () -> admin().getInstanceInfo(root));
            case 2 -> asks(Kind.LOOK, () -> admin().getSystemMetrics());
            case 3 -> asks(Kind.LOOK, () -> provider().read(root));
            case 4 -> asks(Kind.LOOK, () -> provider().getKvAllValues(root));
            default -> asks(Kind.LOOK, () -> admin().getInstanceTree(root));
        }
    }

    private boolean prune(String root) {
        world.ledger().wishes().prune(root);
        return asks(Kind.PRUNE, () -> admin().pruneExecutions(root, PruneOptions.ALL_FINISHED));
    }

    private boolean delete(String root, boolean force) {
        world.ledger().wishes().delete(root);
        if (force) {
            return asks(Kind.DELETE, () -> {
                var result = admin().deleteInstance(root, true);
                world.ledger().wishes().deleted(root);
                return result;
            });
        } else {
            return asks(Kind.DELETE, () -> admin().deleteInstanceBulk(InstanceFilter.of(List.of(root))));
        }
    }

    /**
     * An operator's call; that there is no such instance, or that it still runs, is an answer.
     *
     * @return whether it need not be made again
     */
    private <T> boolean asks(Kind kind, Supplier<T> call) {
        try {
            ask(kind, call);
            return true;
        } catch (ProviderException e) {
            var message = Objects.toString(e.getMessage());
            if (!message.contains("not found") && !e.retryable()) {
                throw e;
            }
            return !e.retryable();
        }
    }
}
