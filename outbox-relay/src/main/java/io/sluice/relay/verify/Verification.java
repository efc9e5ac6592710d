package io.sluice.relay.verify;

import com.azure.cosmos.CosmosAsyncContainer;
import io.sluice.program.PrerequisiteException;
import io.sluice.relay.event.StoredEvent;
import io.sluice.relay.history.HistoryDryRun;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.TopicReader;
import io.sluice.relay.topic.Topics;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/**
 * Compares the histories in the store with the history topic, while relays run or not. It reads only.
 *
 * <p>The order of its steps makes it exact. First it reads the histories, then the positions and what is behind them:
 * of the histories, everything else was published by then. Last it reads the topic, to an end that is asked for after
 * all that. An event in the store is there; what is newer or was purged meanwhile is on the topic alone, and no fault.
 *
 * <p>Three things make a missing record no fault. Retention may have taken it, from the beginning of its partition.
 * The event is older than the first one that a relay published, which began later than the store. Or the relay has not
 * reached it.
 */
public final class Verification {
    private final CosmosAsyncContainer container;
    private final KafkaAccess kafka;
    private final Admin admin;
    private final Topics topics;
    private final HistoryDryRun waiting;

    /**
     * What to compare.
     *
     * @param since earlier events are left out (the store's time, whole seconds); null for none
     * @param oneIn which part of the instances: one in so many, chosen at random; 1 for all
     * @param findings how many of each kind are kept; all are counted
     * @param work where to sort what was read; a directory that exists
     */
    public record Extent(@Nullable Instant since, int oneIn, int findings, Path work) {}

    /**
     * Reads nothing yet.
     *
     * @param waiting reads what is behind the stored positions
     */
    public Verification(
            CosmosAsyncContainer container, KafkaAccess kafka, Admin admin, Topics topics, HistoryDryRun waiting) {
        this.container = container;
        this.kafka = kafka;
        this.admin = admin;
        this.topics = topics;
        this.waiting = waiting;
    }

    /**
     * Reads and compares.
     *
     * @throws PrerequisiteException if store, Kafka or the directory can't be used, or no relay could start here
     */
    public VerificationReport run(Extent extent) throws InterruptedException {
        partitions();
        var tally = new Tally(extent.findings());
        try (var index = EventIndex.in(extent.work())) {
            new StoredHistory(container).read(extent.since(), extent.oneIn(), index::putStored);
            waiting.read(documents -> documents.stream()
                    .filter(StoredEvent::isOne)
                    .forEach(document ->
                            index.putWaiting(StoredEvent.of(document).id())));
            // Only now: somebody may add partitions.
            var removed = new PublishedHistory(kafka, admin, topics.history())
                    .read(partitions(), extent.since(), new Published(index, tally));
            var judge = new InstanceJudge(retention(index, removed), tally);
            boolean isSample = extent.oneIn() > 1;
            index.forEach(entries -> {
                if (!isSample || !entries.stored().isEmpty()) {
                    judge.judge(entries);
                }
            });
        }
        return tally.report();
    }

    private int partitions() {
        int partitions = new TopicReader(admin).partitions(topics.history());
        if (partitions == 0) {
            throw new PrerequisiteException("there is no topic " + topics.history(), null);
        }
        return partitions;
    }

    /** Completes what is known of what was removed: a relay may have begun after the store, by {@code run --from}. */
    private static Retention retention(EventIndex index, PublishedHistory.Removed removed) {
        var until = new HashMap<>(removed.untilSecond());
        if (!removed.whole().isEmpty()) {
            long before = firstPublishedSecond(index, removed) - 1;
            removed.whole().forEach(partition -> until.put(partition, before));
        }
        return new Retention(until);
    }

    private static long firstPublishedSecond(EventIndex index, PublishedHistory.Removed removed) {
        var first = new AtomicLong(Retention.ALL);
        index.forEach(entries -> entries.matches().forEach((event, records) -> {
            if (records.stream().anyMatch(entry -> removed.whole().contains(entry.partition()))) {
                first.accumulateAndGet(event.writtenSecond(), Math::min);
            }
        }));
        return first.get();
    }

    private record Published(EventIndex index, Tally tally) implements PublishedHistory.Reader {
        @Override
        public void take(PublishedEntry entry) {
            tally.published();
            index.putPublished(entry);
        }

        @Override
        public void found(Finding finding) {
            if (finding.kind() == Finding.Kind.FOREIGN) {
                tally.published();
            }
            tally.found(finding);
        }
    }
}
