package io.sluice.relay.dispatch;

import io.sluice.relay.dispatch.DispatchMeters.Source;
import io.sluice.relay.loop.Loop;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Announces instances at once to which this relay has delivered a message, ahead of the feed. Without content: messages
 * of others that were written before may not be announced yet. Delivery waits for nothing; a failure costs only time,
 * since the feed announces the message as well. Thread-safe.
 */
final class OwnDeliveries implements AutoCloseable {
    private static final int MOST_WAITING = 10_000;
    private static final Duration UNTIL_WOKEN = Duration.ofMinutes(1);

    private final AnnouncementRecords records;
    private final AnnouncementProducer producer;
    private final DispatchMeters meters;
    private final Loop loop;
    private final Set<String> waiting = new LinkedHashSet<>();

    OwnDeliveries(AnnouncementRecords records, AnnouncementProducer producer, DispatchMeters meters) {
        this.records = records;
        this.producer = producer;
        this.meters = meters;
        this.loop = new Loop("sluice-announce-own", this::step, Duration.ofSeconds(1));
    }

    void start() {
        loop.start();
    }

    /** A message was delivered to an instance. Returns at once. */
    void delivered(String instance) {
        boolean isFull;
        synchronized (waiting) {
            isFull = waiting.size() >= MOST_WAITING;
            if (!isFull) {
                waiting.add(instance);
            }
        }
        if (isFull) {
            meters.failed(Source.OWN);
        }
        loop.wakeUp();
    }

    private Duration step() throws InterruptedException {
        for (var message : records.checks(take())) {
            producer.sendUnawaited(message, (where, failure) -> {
                if (failure == null) {
                    meters.announced(Source.OWN, 1, 0);
                } else {
                    meters.failed(Source.OWN);
                }
            });
        }
        return UNTIL_WOKEN;
    }

    private List<String> take() {
        synchronized (waiting) {
            var taken = List.copyOf(waiting);
            waiting.clear();
            return taken;
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
