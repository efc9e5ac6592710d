package io.sluice.relay.history;

import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.kafka.BoundedAdmin;
import io.sluice.relay.loop.Loop;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the histories of a container to {@code <prefix>.history}: the key ranges that the group assigns to this
 * replica.
 *
 * <p>{@link #start} and {@link #close} are idempotent; close returns when the pages under way are committed and the
 * group is left, or the drain timeout is over.
 */
public final class HistoryPublisher implements AutoCloseable {
    private final HistoryTopics topics;
    private final RangeFeeds feeds;
    private final PagePublisher pages;
    private final PipelineControl control;
    private final Duration drainTimeout;
    /** Read without the monitor, which {@link #close} holds for as long as it takes. */
    private volatile @Nullable Running running;

    private record Running(Admin admin, RangeGroup group, Loop loop) {}

    /**
     * Connects nowhere yet.
     *
     * @param drainTimeout how long closing waits for pages under way
     */
    public HistoryPublisher(
            HistoryTopics topics,
            RangeFeeds feeds,
            PagePublisher pages,
            PipelineControl control,
            Duration drainTimeout) {
        this.topics = topics;
        this.feeds = feeds;
        this.pages = pages;
        this.control = control;
        this.drainTimeout = drainTimeout;
    }

    /**
     * Checks the positions, writes them at the first start, and joins the group.
     *
     * @throws io.sluice.program.PrerequisiteException if a position can't be trusted
     */
    public synchronized void start() throws InterruptedException {
        if (running != null) {
            return;
        }
        var admin = topics.admin();
        try {
            var positions = topics.positions(admin);
            topics.setup(admin, positions)
                    .ensure(
                            new PositionSetup.Container(
                                    feeds.ranges().containerRid(),
                                    feeds.ranges().physical()),
                            feeds.ranges().first());
            var ownership = topics.ownership(admin);
            var publishers = publishers(topics.takeover(positions, ownership));
            var group =
                    new RangeGroup(topics.groupMember(), topics.topics().positions(), publishers, ownership, control);
            var loop = new Loop("sluice-history-group", group::step, drainTimeout);
            running = new Running(admin, group, loop);
            loop.start();
        } finally {
            if (running == null) {
                admin.close();
            }
        }
    }

    private RangePublishers publishers(RangeTakeover takeover) {
        return new RangePublishers(range -> ownRange(range, takeover), control, drainTimeout);
    }

    private OwnRange ownRange(RangeId range, RangeTakeover takeover) {
        var feed = feeds.feed(range);
        var publisher = new RangePublisher(feed, takeover, pages, control, feeds.tuning());
        return new OwnRange(feed, publisher, feeds.fallbackPoller(feed, publisher::isBehind));
    }

    /** Whether the group has said which ranges are this replica's; returns at once. */
    public boolean isAssigned() {
        var now = running;
        return now != null && now.group().isAssigned();
    }

    /** The ranges of this replica; returns at once, also while it starts or closes. */
    public List<RangeStatus> status() {
        var now = running;
        return now == null ? List.of() : now.group().status();
    }

    /** Why this replica does not learn which ranges it has; returns at once. */
    public Optional<String> problem() {
        var now = running;
        return now == null ? Optional.empty() : Optional.ofNullable(now.group().problem());
    }

    @Override
    public synchronized void close() {
        var closing = running;
        if (closing != null) {
            closing.loop().close();
            try {
                closing.group().close();
            } finally {
                closing.admin().close(BoundedAdmin.CLOSE_LIMIT);
                running = null;
            }
        }
    }
}
