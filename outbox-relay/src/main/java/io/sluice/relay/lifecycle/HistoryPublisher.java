package io.sluice.relay.lifecycle;

import io.sluice.provider.outbox.PurgeMarker;
import io.sluice.relay.feed.ChangeListener;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.feed.PageReader;
import io.sluice.relay.ops.KafkaAccess;
import io.sluice.relay.ops.Loop;
import io.sluice.relay.ops.MemoryBudget;
import io.sluice.relay.ops.PipelineControl;
import io.sluice.relay.ops.Topics;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the histories of a container to {@code <prefix>.history}, this replica's share of the key ranges.
 *
 * <p>{@link #start} and {@link #close} are idempotent; close returns when the pages under way are committed and the
 * group is left, or the drain timeout is over.
 */
public final class HistoryPublisher implements AutoCloseable {
    private final KafkaAccess kafka;
    private final Topics topics;
    private final Feed feed;
    private final ChangeListener changes;
    private final Settings settings;
    private final PipelineControl control;
    private final Publication publication;
    /** Read without the monitor, which closing holds for as long as it takes. */
    private volatile @Nullable Running running;

    private record Running(Admin admin, RangeGroup group, PurgeAnswers answers, Loop loop, Loop lookout) {}

    /**
     * Whose feed is published.
     *
     * @param source names account, database and container in every event
     * @param containerRid the container's resource id
     * @param readers makes a reader of a key range
     * @param purges told when everything before a purge marker is published, on threads of their own; may block, and what it throws is logged
     * @param clock the store's time
     * @param memory what the pages of all ranges may take together
     */
    public record Feed(
            URI source,
            String containerRid,
            Function<KeyRange, PageReader> readers,
            Consumer<PurgeMarker> purges,
            InstantSource clock,
            MemoryBudget memory) {}

    /**
     * How it is published.
     *
     * @param ranges into how many ranges the key space is cut: the partitions of the positions topic
     * @param pageSize documents asked for at a time
     * @param shortestRest between looks at the feed after activity
     * @param longestRest between looks while nothing happens
     * @param first what becomes of a missing position
     * @param drainTimeout how long closing waits for pages under way
     */
    public record Settings(
            int ranges,
            int pageSize,
            Duration shortestRest,
            Duration longestRest,
            FirstPosition first,
            Duration drainTimeout) {}

    /** Connects nowhere yet. */
    public HistoryPublisher(
            KafkaAccess kafka,
            Topics topics,
            Feed feed,
            ChangeListener changes,
            Settings settings,
            PipelineControl control,
            Publication publication) {
        this.control = control;
        this.publication = publication;
        this.kafka = kafka;
        this.topics = topics;
        this.feed = feed;
        this.changes = changes;
        this.settings = settings;
    }

    /**
     * Checks the positions, writes them at the first start, and joins the group.
     *
     * @throws io.sluice.relay.ops.PrerequisiteException when a position can't be trusted
     */
    public synchronized void start() throws InterruptedException {
        if (running != null) {
            return;
        }
        var admin = kafka.adminForReading();
        var answers = new PurgeAnswers(feed.purges(), settings.drainTimeout());
        try {
            var positions = new PositionLog(kafka, admin, topics, KafkaAccess.TRANSACTION_TIMEOUT);
            new PositionSetup(kafka, admin, topics, positions)
                    .ensure(settings.ranges(), feed.containerRid(), settings.first());
            var group = group(admin, positions, answers);
            var loop = new Loop("sluice-history-group", group::step, settings.drainTimeout());
            var lookout = new Loop("sluice-history-lookout", lookout(group)::step, settings.drainTimeout());
            running = new Running(admin, group, answers, loop, lookout);
            loop.start();
            lookout.start();
        } finally {
            if (running == null) {
                answers.close();
                admin.close();
            }
        }
    }

    private FallbackPoller lookout(RangeGroup group) {
        return new FallbackPoller(
                group::behindFor,
                range -> feed.readers()
                        .apply(RangeId.of(range, settings.ranges(), feed.containerRid())
                                .bounds()),
                changes,
                new PageMemory(feed.memory()),
                feed.clock(),
                settings.shortestRest(),
                settings.longestRest());
    }

    private RangeGroup group(Admin admin, PositionLog positions, PurgeAnswers answers) {
        var ownership = new GroupOwnership(admin, topics.historyGroup(), topics.positions());
        var records = new HistoryRecords(topics, feed.source(), instance -> publication.withheld());
        var tuning = new RangePublisher.Tuning(
                settings.shortestRest(), settings.longestRest(), Duration.ofSeconds(1), settings.pageSize());
        return new RangeGroup(
                kafka.groupMember(topics.historyGroup(), "latest"),
                topics.positions(),
                range -> {
                    var id = RangeId.of(range, settings.ranges(), feed.containerRid());
                    var ports = new RangePublisher.Ports(
                            feed.readers().apply(id.bounds()),
                            index -> kafka.transactional(
                                    topics.historyTransactionalId(index), topics.history(), topics.positions()),
                            positions,
                            records,
                            changes,
                            answers,
                            ownership,
                            control,
                            publication,
                            new PageMemory(feed.memory()),
                            feed.clock());
                    return new RangePublisher(id, ports, tuning);
                },
                ownership,
                control,
                settings.drainTimeout());
    }

    /** The ranges of this replica; answered at once, also while it starts or closes. */
    public List<RangeStatus> status() {
        var now = running;
        return now == null ? List.of() : now.group().status();
    }

    /** What keeps it from hearing which ranges it has; answered at once. */
    public Optional<String> trouble() {
        var now = running;
        return now == null ? Optional.empty() : Optional.ofNullable(now.group().trouble());
    }

    @Override
    public synchronized void close() {
        var closing = running;
        if (closing != null) {
            closing.lookout().close();
            closing.loop().close();
            try {
                closing.group().close();
            } finally {
                closing.answers().close();
                closing.admin().close(Duration.ZERO);
                running = null;
            }
        }
    }
}
