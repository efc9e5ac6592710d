package io.sluice.relay.watch;

import io.sluice.relay.event.EventEnvelope;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.history.PublishListener;
import io.sluice.relay.metrics.RelayMeters;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Counts published events, and keeps the latest ones without their payloads. Thread-safe. */
public final class RecentEvents implements PublishListener {
    private static final int KEPT = 100;

    private final RelayMeters meters;
    private final InstantSource clock;
    private final RingBuffer<Event> latest = new RingBuffer<>(KEPT);

    /**
     * An event as it was published.
     *
     * @param atMillis when its transaction was committed
     * @param range that published it
     * @param instance its key
     * @param type its CloudEvents type
     * @param id its CloudEvents id
     */
    public record Event(long atMillis, String range, String instance, String type, String id) {}

    /** Holds no events yet. */
    public RecentEvents(RelayMeters meters, InstantSource clock) {
        this.meters = meters;
        this.clock = clock;
    }

    @Override
    public void committed(Committed transaction) {
        long now = clock.millis();
        meters.recordCommit(transaction.range(), transaction.events().size(), transaction.nanos());
        transaction.writtenSeconds().forEach(seconds -> meters.recordPublished(now - seconds * 1_000));
        transaction
                .events()
                .forEach(event -> latest.add(new Event(
                        now,
                        transaction.range().name(),
                        new String(event.key(), StandardCharsets.UTF_8),
                        header(event, "ce_type"),
                        header(event, "ce_id"))));
    }

    @Override
    public void aborted(KeyRange range, long nanos) {
        meters.recordAbort(nanos);
    }

    private static String header(ProducerRecord<byte[], byte[]> event, String name) {
        return Objects.requireNonNullElse(EventEnvelope.header(event.headers(), name), "");
    }

    /** The latest events that this replica published, oldest first. */
    public List<Event> latest() {
        return latest.all();
    }
}
