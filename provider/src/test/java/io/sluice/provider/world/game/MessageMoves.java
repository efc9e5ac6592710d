package io.sluice.provider.world.game;

import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What clients, timers and workers of other processes put into the queues. */
final class MessageMoves {
    private final Compared both;
    private long lastActivity = 1_000;

    MessageMoves(Compared both) {
        this.both = both;
    }

    void start(SplittableRandom random) {
        var instance = Draw.root(random);
        // An instance's starts agree: what a lapsed first fetch leaves behind keeps the version of the start that it
        // saw.
        var version = instance.equals("b") ? null : "1.0.0";
        send(
                new WorkItem.StartOrchestration(instance, "Orch-" + instance, "{}", version, null, null, null, 1),
                Draw.oneIn(4, random) ? Draw.delay(random) : null,
                random);
    }

    void message(SplittableRandom random) {
        var instance = both.instance(random);
        WorkItem item = switch (random.nextInt(5)) {
            case 0 -> new WorkItem.CancelInstance(instance, "a client's wish");
            case 1, 2 -> new WorkItem.QueueMessage(instance, "queue", "{}");
            case 3 -> new WorkItem.TimerFired(instance, 1, 7, 0);
            default -> new WorkItem.ExternalRaised(instance, "event", "{\"é\":1}");
        };
        send(item, Draw.oneIn(3, random) ? Draw.delay(random) : null, random);
    }

    private void send(WorkItem item, @Nullable Duration delay, SplittableRandom random) {
        var process = both.process(random);
        both.done(
                process,
                "enqueues " + item + (delay == null ? "" : " for later by " + delay.toMillis() + " ms"),
                side -> side.provider().enqueueForOrchestrator(item, delay));
    }

    void activity(SplittableRandom random) {
        var process = both.process(random);
        var item = new WorkItem.ActivityExecute(
                both.instance(random), 1, ++lastActivity, "work", "{}", Draw.session(random), Draw.tag(random));
        both.done(process, "enqueues " + item, side -> side.provider().enqueueForWorker(item));
    }
}
