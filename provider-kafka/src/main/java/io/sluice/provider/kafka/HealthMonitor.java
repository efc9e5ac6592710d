package io.sluice.provider.kafka;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Checks the health of all subscriptions several times a second: silence has no event of its own. */
final class HealthMonitor implements FeedLoop {
    private final Duration interval;
    private final FeedMeters meters;
    private final List<FeedSubscription> watched = new CopyOnWriteArrayList<>();
    private final List<Runnable> gauges = new CopyOnWriteArrayList<>();
    private final StopSignal stop = new StopSignal();

    HealthMonitor(Duration interval, FeedMeters meters) {
        this.interval = interval;
        this.meters = meters;
    }

    void watch(FeedSubscription subscription) {
        gauges.add(meters.healthy(subscription.queue(), subscription::isInOrder));
        watched.add(subscription);
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
        gauges.forEach(Runnable::run);
    }

    @Override
    public void stop() {
        stop.stop();
    }
}
