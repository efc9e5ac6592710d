package io.sluice.relay.history;

import io.sluice.provider.outbox.PurgeMarker;
import io.sluice.relay.control.MemoryBudget;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.feed.ChangeListener;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.feed.PageReader;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.loop.Loop;
import io.sluice.relay.topic.Topics;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the histories of a container to {@code <prefix>.history}: the key ranges that the group assigns to this
 * replica.
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
    private final PublishListener listener;
    /** Read without the monitor, which closing holds for as long as it takes. */
    private volatile @Nullable Running running;

    private record Running(Admin admin, RangeGroup group, PurgeResponder purges, Loop loop, Loop fallbackPoller) {}

    /**
     * Whose feed is published.
     *
     * @param source names account, database and container in every event
     * @param containerRid the container's resource id
     * @param readers makes a reader of a key range
     * @param purges gets each purge marker once all earlier events are published; it runs on threads of its own, may
     *     block, and its exceptions are logged
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
     * @param shortestRest between reads of the feed after activity
     * @param longestRest between reads while nothing changes
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
            PublishListener listener) {
        this.control = control;
        this.listener = listener;
        this.kafka = kafka;
        this.topics = topics;
        this.feed = feed;
        this.changes = changes;
        this.settings = settings;
    }

    /**
     * Checks the positions, writes them at the first start, and joins the group.
     *
     * @throws io.sluice.relay.control.PrerequisiteException when a position can't be trusted
     */
    public synchronized void start() throws InterruptedException {
        if (running != null) {
            return;
        }
        var admin = kafka.adminForReading();
        var purges = new PurgeResponder(feed.purges(), settings.drainTimeout());
        try {
            var positions = new PositionLog(kafka, admin, topics, KafkaAccess.TRANSACTION_TIMEOUT);
            new PositionSetup(kafka, admin, topics, positions)
                    .ensure(settings.ranges(), feed.containerRid(), settings.first());
            var group = group(admin, positions, purges);
            var loop = new Loop("sluice-history-group", group::step, settings.drainTimeout());
            var fallbackPoller =
                    new Loop("sluice-fallback-poller", fallbackPoller(group)::step, settings.drainTimeout());
            running = new Running(admin, group, purges, loop, fallbackPoller);
            loop.start();
            fallbackPoller.start();
        } finally {
            if (running == null) {
                purges.close();
                admin.close();
            }
        }
    }

    private FallbackPoller fallbackPoller(RangeGroup group) {
        return new FallbackPoller(
                group::behindFor,
                range -> feed.readers().apply(rangeId(range).bounds()),
                changes,
                new PageMemory(feed.memory()),
                feed.clock(),
                settings.shortestRest(),
                settings.longestRest());
    }

    private RangeGroup group(Admin admin, PositionLog positions, PurgeResponder purges) {
        var ownership = new GroupOwnership(admin, topics.historyGroup(), topics.positions());
        var takeover = new RangeTakeover(this::producer, positions, ownership);
        var records = new HistoryRecords(topics, feed.source(), instance -> listener.withheld());
        var pages = new PagePublisher(records, listener, purges);
        var tuning = new RangePublisher.Tuning(
                settings.shortestRest(), settings.longestRest(), Duration.ofSeconds(1), settings.pageSize());
        return new RangeGroup(
                kafka.groupMember(topics.historyGroup(), "latest"),
                topics.positions(),
                range -> new RangePublisher(rangeFeed(rangeId(range)), takeover, pages, control, tuning),
                ownership,
                control,
                settings.drainTimeout());
    }

    private Producer<byte[], byte[]> producer(int range) {
        return kafka.transactional(topics.historyTransactionalId(range), topics.history(), topics.positions());
    }

    private RangeFeed rangeFeed(RangeId range) {
        return new RangeFeed(
                range,
                feed.readers().apply(range.bounds()),
                new PageMemory(feed.memory()),
                changes,
                new RangeLag(feed.clock(), settings.longestRest()));
    }

    private RangeId rangeId(int range) {
        return RangeId.of(range, settings.ranges(), feed.containerRid());
    }

    /** The ranges of this replica; answered at once, also while it starts or closes. */
    public List<RangeStatus> status() {
        var now = running;
        return now == null ? List.of() : now.group().status();
    }

    /** Why this replica does not learn which ranges it has; answered at once. */
    public Optional<String> trouble() {
        var now = running;
        return now == null ? Optional.empty() : Optional.ofNullable(now.group().trouble());
    }

    @Override
    public synchronized void close() {
        var closing = running;
        if (closing != null) {
            closing.fallbackPoller().close();
            closing.loop().close();
            try {
                closing.group().close();
            } finally {
                closing.purges().close();
                closing.admin().close(Duration.ZERO);
                running = null;
            }
        }
    }
}
