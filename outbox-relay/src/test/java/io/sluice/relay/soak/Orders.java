package io.sluice.relay.soak;

import io.sluice.client.Command;
import io.sluice.client.CommandException;
import io.sluice.client.CommandOptions;
import io.sluice.client.Reply;
import io.sluice.client.SluiceClient;
import io.sluice.relay.StopSignal;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives orders by commands at a steady rate; whoever gets no reply asks again under the same id. Given by one thread;
 * figures may be asked for from any.
 */
final class Orders {
    private static final Logger LOG = LoggerFactory.getLogger(Orders.class);
    private static final Duration LOOK = Duration.ofMillis(50);

    private final SluiceClient client;
    private final SoakPlan plan;
    private final IntSupplier finished;
    private final Queue<String> refused = new ConcurrentLinkedQueue<>();
    private final AtomicInteger given = new AtomicInteger();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger repeated = new AtomicInteger();
    private final AtomicInteger replies = new AtomicInteger();
    private final StopSignal stopped = new StopSignal();
    private final AtomicLong waitedNanos = new AtomicLong();

    /** @param finished how many orders have ended */
    Orders(SluiceClient client, SoakPlan plan, IntSupplier finished) {
        this.client = client;
        this.plan = plan;
        this.finished = finished;
    }

    void startHubs() {
        for (int i = 0; i < Story.HUBS; i++) {
            ask(new Command.Start(Story.hub(i), Story.NAME, Story.ORCHESTRATION_VERSION, "{}"), "start-hub-" + i);
        }
    }

    /** Ends the load early. */
    void stop() {
        stopped.give();
    }

    /** Gives orders until the time of the load is over. */
    void giveAll() throws InterruptedException {
        long gapNanos = TimeUnit.MINUTES.toNanos(1) / plan.ordersPerMinute();
        long begun = System.nanoTime();
        long due = begun;
        while (due - begun < plan.load().toNanos()) {
            if (stopped.restUntil(due)) {
                return;
            }
            long waitingSince = System.nanoTime();
            while (given.get() - finished.getAsInt() >= plan.mostInFlight()) {
                if (stopped.restFor(LOOK)) {
                    return;
                }
            }
            long waited = System.nanoTime() - waitingSince;
            waitedNanos.addAndGet(waited);
            due += gapNanos + waited;
            give(given.getAndIncrement());
        }
    }

    private void give(int number) {
        var order = Story.order(number);
        ask(new Command.Start(order, Story.NAME, Story.ORCHESTRATION_VERSION, "{}"), "start-" + order);
        ask(new Command.RaiseEvent(order, Story.GO, "at once"), "go-" + order);
        if (Story.isCancelled(number)) {
            ask(new Command.Cancel(order, "so it was ordered"), "cancel-" + order);
        }
    }

    private void ask(Command command, String id) {
        asked.incrementAndGet();
        askAgain(command, id);
    }

    private void askAgain(Command command, String id) {
        var unused = client.ask(command, CommandOptions.ofId(id)).reply().whenComplete((reply, failure) -> {
            if (reply instanceof Reply.Accepted) {
                replies.incrementAndGet();
            } else if (reply != null) {
                refused.add(String.valueOf(reply));
            } else if (failure instanceof CommandException.Closed) {
                LOG.atDebug().addKeyValue("command", id).log("the run is over");
            } else {
                repeated.incrementAndGet();
                askAgain(command, id);
            }
        });
    }

    int given() {
        return given.get();
    }

    /** Commands, each counted once. */
    int asked() {
        return asked.get();
    }

    /** How often one was sent again because no reply came in time. */
    int repeated() {
        return repeated.get();
    }

    /** How many commands were accepted. */
    int replies() {
        return replies.get();
    }

    /** Replies that say no, which none should. */
    List<String> refused() {
        return List.copyOf(refused);
    }

    /** How long orders waited because too many were unfinished. */
    Duration waited() {
        return Duration.ofNanos(waitedNanos.get());
    }
}
