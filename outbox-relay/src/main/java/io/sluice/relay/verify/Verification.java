package io.sluice.relay.verify;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosException;
import io.sluice.program.FailureReason;
import io.sluice.program.PrerequisiteException;
import io.sluice.relay.event.StoredEvent;
import io.sluice.relay.history.HistoryDryRun;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.TopicReader;
import io.sluice.relay.topic.Topics;
import java.nio.file.Path;
import java.time.Instant;
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
        var stored = new StoredHistory(container);
        try (var index = EventIndex.in(extent.work())) {
            stored.read(extent.since(), extent.oneIn(), index::putStored);
            readWaiting(index, extent.since(), tally);
            // Only now: somebody may add partitions.
            var retention = new PublishedHistory(kafka, admin, topics.history())
                    .read(partitions(), extent.since(), new Published(index, tally));
            judge(index, retention, extent, new LostEvents(stored, tally), tally);
        }
        return tally.report();
    }

    private void readWaiting(EventIndex index, @Nullable Instant since, Tally tally) throws InterruptedException {
        try {
            waiting.read(documents -> documents.stream()
                    .filter(StoredEvent::isOne)
                    .forEach(document -> {
                        index.putWaiting(StoredEvent.of(document).id());
                        if (since != null && document.path("_ts").asLong() < since.getEpochSecond()) {
                            tally.waitingEarlier();
                        }
                    }));
        } catch (CosmosException | IllegalStateException e) {
            throw new PrerequisiteException("can't read what is behind the positions: " + FailureReason.of(e), e);
        }
    }

    private static void judge(EventIndex index, Retention retention, Extent extent, LostEvents lost, Tally tally) {
        var judge = new InstanceJudge(retention.beginningWith(firstPublishedSecond(index, retention)), tally, lost);
        boolean isSample = extent.oneIn() > 1;
        index.forEach(entries -> {
            if (!isSample || !entries.stored().isEmpty()) {
                judge.judge(entries);
            }
        });
    }

    private int partitions() {
        int partitions = new TopicReader(admin).partitions(topics.history());
        if (partitions == 0) {
            throw new PrerequisiteException("there is no topic " + topics.history(), null);
        }
        return partitions;
    }

    /** A relay may have begun later than the store, by {@code run --from}. */
    private static long firstPublishedSecond(EventIndex index, Retention retention) {
        var first = new AtomicLong(Retention.ALL);
        index.forEach(entries -> entries.matches().forEach((event, records) -> {
            if (records.stream()
                    .anyMatch(entry ->
                            PublishedHistory.WHOLE.equals(retention.partitions().get(entry.partition())))) {
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
