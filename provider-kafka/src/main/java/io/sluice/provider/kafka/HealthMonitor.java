package io.sluice.provider.kafka;

import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.kafka.thread.FeedLoop;
import io.sluice.provider.kafka.thread.StopSignal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Checks the health of all subscriptions several times a second: silence has no event of its own. */
final class HealthMonitor implements FeedLoop {
    private final Duration interval;
    private final FeedMeters meters;
    private final List<FeedSubscription> watched = new CopyOnWriteArrayList<>();
    private final Map<WorkQueue, Runnable> gauges = new ConcurrentHashMap<>();
    private final StopSignal stop = new StopSignal();

    HealthMonitor(Duration interval, FeedMeters meters) {
        this.interval = interval;
        this.meters = meters;
    }

    void watch(FeedSubscription subscription) {
        WorkQueue queue = subscription.queue();
        watched.add(subscription);
        gauges.computeIfAbsent(queue, shown -> meters.healthy(shown, () -> isInOrder(shown)));
    }

    void forget(FeedSubscription subscription) {
        watched.remove(subscription);
    }

    /** One gauge shows all subscriptions of a queue: one of its tags for each would not be bounded. */
    private boolean isInOrder(WorkQueue queue) {
        return watched.stream()
                .filter(subscription -> subscription.queue() == queue)
                .allMatch(FeedSubscription::isInOrder);
    }

    @Override
    public String name() {
        return "sluice-work-health";
    }

    @Override
    public void run() {
        while (!stop.isStopped()) {
            watched.forEach(FeedSubscription::checkHealth);
            stop.await(interval);
        }
    }

    @Override
    public void stop() {
        stop.stop();
        gauges.values().forEach(Runnable::run);
    }
}
