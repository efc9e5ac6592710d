package io.sluice.provider.kafka;

import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.kafka.demand.RecentFetches;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The readers of one subscription, and whether they can be relied on. */
final class FeedSubscription implements WorkFeed.Subscription {
    private static final Logger LOG = LoggerFactory.getLogger(FeedSubscription.class);
    /** What was found longer ago says nothing: the thread that checks has ended, or something holds it up. */
    private static final long LONGEST_UNCHECKED_NANOS = Duration.ofSeconds(10).toNanos();

    private final SubscriptionTarget target;
    private final PulseHealth pulses;
    private final ShareGroup shared;
    private final Owner owner;
    private final RecentFetches fetches;
    private final OwnPartitions own = new OwnPartitions();
    private final List<ReaderLoop> loops;
    /** What they do not read is announced nevertheless. */
    private final List<ReaderLoop> besides;

    private final long silentUntilNanos;
    private volatile boolean healthy;
    private volatile boolean closed;
    private volatile long checkedNanos = System.nanoTime();
    private boolean logged;
    private boolean failing;

    FeedSubscription(FeedConfig config, SubscriptionTarget target, TopicWatch topics, PulseHealth pulses, Owner owner) {
        this.target = target;
        this.pulses = pulses;
        this.owner = owner;
        this.shared = ShareGroup.of(config, target, owner.writer());
        this.fetches = new RecentFetches(config.timings().readAfterFetch(), System::nanoTime);
        this.loops = target.queue() == WorkQueue.TURNS
                ? List.of(loop("turns", config, topics, new TurnOpening(config)))
                : activityLoops(config, topics);
        ReaderLoop.Opening backlog = new BacklogReader.Opening(config, shared);
        this.besides = target.queue() == WorkQueue.TURNS
                ? List.of(
                        helpLoop("help", config, topics, new HelpOpening(config, topics)),
                        helpLoop("help-backlog", config, topics, backlog))
                : List.of(loop("backlog", config, topics, backlog));
        this.silentUntilNanos = System.nanoTime() + config.pulseTimeout().toNanos();
    }

    /** The feed. */
    interface Owner {
        /** Writes what other processes are to hear of. */
        AnnouncementWriter writer();

        /** It is closed: its threads are to end. */
        void closed(FeedSubscription subscription);
    }

    private List<ReaderLoop> activityLoops(FeedConfig config, TopicWatch topics) {
        List<ReaderLoop> readers = new ArrayList<>();
        IntStream.rangeClosed(1, config.activityReaders())
                .mapToObj(number ->
                        loop("activities-" + number, config, topics, new ActivityOpening(config, topics, number == 1)))
                .forEach(readers::add);
        if (target.ownsSessions()) {
            readers.add(loop("sessions", config, topics, topic -> SessionReader.open(config, target, topic)));
        }
        return List.copyOf(readers);
    }

    private ReaderLoop loop(String name, FeedConfig config, TopicWatch topics, ReaderLoop.Opening opening) {
        return loop(name, config.topics().of(target.queue()), config, topics, opening);
    }

    private ReaderLoop helpLoop(String name, FeedConfig config, TopicWatch topics, ReaderLoop.Opening opening) {
        return loop(name, config.topics().help(), config, topics, opening);
    }

    private ReaderLoop loop(
            String name, String topic, FeedConfig config, TopicWatch topics, ReaderLoop.Opening opening) {
        return new ReaderLoop("sluice-work-" + name, topic, config, topics, new OfOwnStore(opening));
    }

    /** While all that is heard is of another store, nothing is read: the group keeps its place until this one is. */
    private final class OfOwnStore implements ReaderLoop.Opening {
        private final ReaderLoop.Opening opening;

        OfOwnStore(ReaderLoop.Opening opening) {
            this.opening = opening;
        }

        @Override
        public TopicReader open(TopicState topic) {
            return opening.open(topic);
        }

        @Override
        public boolean isWanted(TopicState topic) {
            return opening.isWanted(topic) && !pulses.isOfAnother(System.nanoTime());
        }
    }

    /** A member of a share group gets only what it asks for; one of a consumer group gets its turns. */
    private final class TurnOpening implements ReaderLoop.Opening {
        private final FeedConfig config;

        TurnOpening(FeedConfig config) {
            this.config = config;
        }

        @Override
        public TopicReader open(TopicState topic) {
            return TurnReader.open(config, target, own, topic);
        }

        @Override
        public boolean isWanted(TopicState topic) {
            return fetches.hasAny();
        }
    }

    /** The first reader sees to it that the group may be joined, the others wait for it. */
    private final class ActivityOpening implements ReaderLoop.Opening {
        private final FeedConfig config;
        private final TopicWatch topics;
        private final boolean first;

        ActivityOpening(FeedConfig config, TopicWatch topics, boolean first) {
            this.config = config;
            this.topics = topics;
            this.first = first;
        }

        @Override
        public TopicReader open(TopicState topic) {
            if (!topics.hasShareGroups()) {
                throw new UnsupportedVersionException("the brokers have no share groups");
            }
            return share(config, topic, first);
        }

        @Override
        public boolean isWanted(TopicState topic) {
            return first || shared.isStarted(topic);
        }
    }

    private TopicReader share(FeedConfig config, TopicState topic, boolean isFirst) {
        return shared.isStarted(topic)
                ? ShareReader.open(config, shared, topic, isFirst)
                : GroupStart.open(config, shared, topic);
    }

    /** Nobody has to help: without share groups, or while nobody fetches, nothing is read. */
    private final class HelpOpening implements ReaderLoop.Opening {
        private final FeedConfig config;
        private final TopicWatch topics;

        HelpOpening(FeedConfig config, TopicWatch topics) {
            this.config = config;
            this.topics = topics;
        }

        @Override
        public TopicReader open(TopicState topic) {
            return share(config, topic, true);
        }

        @Override
        public boolean isWanted(TopicState topic) {
            return topics.hasShareGroups() && fetches.hasAny();
        }
    }

    List<ReaderLoop> loops() {
        return Stream.concat(loops.stream(), besides.stream()).toList();
    }

    WorkQueue queue() {
        return target.queue();
    }

    @Override
    public boolean isHealthy() {
        return healthy && !closed && System.nanoTime() - checkedNanos < LONGEST_UNCHECKED_NANOS;
    }

    @Override
    public boolean isOwn(String instanceId) {
        return own.isOwn(instanceId);
    }

    @Override
    public void request(int announcements) {
        shared.demand().request(announcements);
    }

    @Override
    public void askForHelp(Announcement announcement) {
        owner.writer().askForHelp(announcement);
    }

    @Override
    public void fetchBegan() {
        fetches.fetchBegan();
    }

    @Override
    public void fetchEnded() {
        fetches.fetchEnded();
    }

    /** Whether announcements can be relied on, or nobody has wanted to lately. */
    boolean isInOrder() {
        return isHealthy() || !fetches.hasAny();
    }

    /** Its readers leave their groups, which give what was not handled to others. */
    @Override
    public void close() {
        closed = true;
        owner.closed(this);
    }

    /** The same, of all subscriptions at once: nobody relies on announcements from now on. */
    void feedCloses() {
        closed = true;
        if (healthy) {
            target.listener().healthChanged();
        }
    }

    private boolean isUnwanted() {
        return target.queue() == WorkQueue.TURNS && !fetches.hasAny();
    }

    /** Notices a change. Called by one thread, again and again. */
    void checkHealth() {
        try {
            if (!closed) {
                check(problem());
            }
            failing = false;
        } catch (RuntimeException | Error e) {
            // Without the thread that checks all subscriptions would stay as they are.
            distrust(e);
        }
        checkedNanos = System.nanoTime();
    }

    private void distrust(Throwable failure) {
        healthy = false;
        if (!failing) {
            failing = true;
            LOG.atError()
                    .addKeyValue("queue", name())
                    .setCause(failure)
                    .log("whether work is announced could not be told, the store is queried; will try again");
        }
    }

    private void check(@Nullable String problem) {
        boolean before = healthy;
        healthy = problem == null;
        if (healthy != before) {
            log(problem);
            target.listener().healthChanged();
        } else if (!healthy && !logged && System.nanoTime() - silentUntilNanos > 0) {
            log(problem);
        }
    }

    private @Nullable String problem() {
        if (isUnwanted()) {
            return "nobody fetches this work";
        }
        if (pulses.isOfAnother(System.nanoTime())) {
            return pulses.problem(System.nanoTime());
        }
        for (ReaderLoop loop : loops) {
            String problem = loop.problem();
            if (problem != null) {
                return problem;
            }
        }
        return pulses.problem(System.nanoTime());
    }

    private void log(@Nullable String problem) {
        logged = true;
        if (isUnwanted()) {
            LOG.atInfo()
                    .addKeyValue("queue", name())
                    .log(
                            "no dispatcher of this process fetches this work, its announcements are left to other processes");
        } else if (problem == null) {
            LOG.atInfo().addKeyValue("queue", name()).log("work is announced, the store is hardly queried");
        } else if (loops.stream().noneMatch(ReaderLoop::isUnsupported)) {
            LOG.atWarn()
                    .addKeyValue("queue", name())
                    .addKeyValue("why", problem)
                    .log("announcements of work can't be relied on, the store is queried");
        }
    }

    private String name() {
        return target.queue().name().toLowerCase(Locale.ROOT);
    }
}
