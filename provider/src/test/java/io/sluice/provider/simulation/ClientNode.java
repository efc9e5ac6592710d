package io.sluice.provider.simulation;

import io.sluice.provider.InstanceFilter;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.simulation.Operation.Kind;
import io.sluice.provider.work.WorkItem;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * A client and an operator: it starts instances, raises what they wait for, sends, cancels, looks, prunes and deletes.
 */
final class ClientNode extends Node {
    private int started;
    private int asked;

    ClientNode(World world, int number, SplittableRandom random) {
        super(world, number, "client", random);
    }

    @Override
    void live() {
        pause(IDLE);
        try {
            if (started < World.ROOTS && (world.isCalm() || started == 0 || random.nextInt(3) == 0)) {
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

    private void start() {
        var root = World.root(started);
        enqueue(new WorkItem.StartOrchestration(root, "Root", "{}", "1.0.0", null, null, null, 1));
        world.ledger().wishes().started(root);
        started++;
    }

    private void enqueue(WorkItem message) {
        tell(Operation.of(name(), Kind.ENQUEUE, null), () -> provider().enqueueForOrchestrator(message, null));
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
            look(root);
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

    private void look(String root) {
        switch (random.nextInt(6)) {
            case 0 -> asks(Kind.LOOK, () -> admin().listInstances());
            case 1 -> asks(Kind.LOOK, () -> admin().getInstanceInfo(root));
            case 2 -> asks(Kind.LOOK, () -> admin().getSystemMetrics());
            case 3 -> asks(Kind.LOOK, () -> provider().read(root));
            case 4 -> asks(Kind.LOOK, () -> provider().getKvAllValues(root));
            default -> asks(Kind.LOOK, () -> admin().getInstanceTree(root));
        }
    }

    private void prune(String root) {
        world.ledger().wishes().prune(root);
        asks(Kind.PRUNE, () -> admin().pruneExecutions(root, PruneOptions.ALL_FINISHED));
    }

    private void delete(String root, boolean force) {
        world.ledger().wishes().delete(root);
        if (force) {
            asks(Kind.DELETE, () -> {
                var result = admin().deleteInstance(root, true);
                world.ledger().wishes().deleted(root);
                return result;
            });
        } else {
            asks(Kind.DELETE, () -> admin().deleteInstanceBulk(InstanceFilter.of(List.of(root))));
        }
    }

    /** An operator's call; that there is no such instance, or that it still runs, is an answer. */
    private <T> void asks(Kind kind, Supplier<T> call) {
        try {
            ask(Operation.of(name(), kind, null), call);
        } catch (ProviderException e) {
            var message = Objects.toString(e.getMessage());
            if (!message.contains("not found") && !e.retryable()) {
                throw e;
            }
        }
    }
}
