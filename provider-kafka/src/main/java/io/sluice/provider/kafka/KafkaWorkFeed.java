package io.sluice.provider.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.announcement.WorkStore;
import io.sluice.provider.kafka.client.OwnClientSettings;
import io.sluice.provider.kafka.thread.FeedThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads from Kafka what relays announce.
 *
 * <p>Turns come through a consumer group, so that the work of one instance goes to one process at a time. Activities
 * come through a share group, so that each goes to a worker that is free. Brokers have share groups from Kafka 4.2 on;
 * without them one line says so, and the provider queries its store for activities. Pulses of the relays are read
 * without a group: while one is missing, the provider queries its store for everything.
 *
 * <pre>{@code
 * WorkFeed feed = KafkaWorkFeed.builder()
 *         .clientProperties(Map.of("bootstrap.servers", "broker-1:9092"))
 *         .topicPrefix("sluice")
 *         .build();
 * }</pre>
 *
 * <p>A Kafka that does not answer, refuses this client, or has not the topics yet is no error: announcements can't be
 * relied on until it does, and one line says why. Thread-safe.
 */
public final class KafkaWorkFeed implements WorkFeed {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaWorkFeed.class);

    private final FeedConfig config;
    private final FeedMeters meters;
    private final FeedThreads threads;
    private final HealthMonitor monitor;
    private final TopicWatch topics;
    private final AnnouncementWriter writer;
    private final Owner owner = new Owner();
    private final List<FeedSubscription> subscriptions = new ArrayList<>();
    /** What is heard of each store whose work was subscribed to: one, as a rule. */
    private final Map<WorkStore, PulseHealth> pulses = new ConcurrentHashMap<>();

    private boolean closed;
    private boolean loggedClosed;

    KafkaWorkFeed(FeedConfig config, @Nullable MeterRegistry registry) {
        this.config = config;
        this.meters = new FeedMeters(config.prefix(), registry);
        this.threads = new FeedThreads(config.closeTimeout());
        this.topics = new TopicWatch(config);
        this.writer = new AnnouncementWriter(config, topics);
        this.monitor = new HealthMonitor(config.timings().healthCheck(), meters);
    }

    /** Builds a feed; only {@code clientProperties} is required. */
    public static KafkaWorkFeedBuilder builder() {
        return new KafkaWorkFeedBuilder();
    }

    /** Names of settings of Kafka's clients that a feed sets itself; the builder refuses them. */
    public static Set<String> ownClientSettings() {
        return OwnClientSettings.names();
    }

    /** Returns at once, whether Kafka answers or not. Of a closed feed it is never healthy. */
    @Override
    public synchronized Subscription subscribe(WorkStore store, WorkQueue queue, String filter, Listener listener) {
        if (closed) {
            if (!loggedClosed) {
                loggedClosed = true;
                LOG.atWarn()
                        .addKeyValue("prefix", config.prefix())
                        .log("this feed is closed and announces nothing, the store is queried: give each provider"
                                + " feed.shared(), since it closes what it is given");
            }
            return NeverHealthy.SUBSCRIPTION;
        }
        FeedSubscription subscription = new FeedSubscription(
                config,
                new SubscriptionTarget(store, queue, filter, listener, meters),
                topics,
                heardPulses(store),
                owner);
        subscriptions.add(subscription);
        threads.start(subscription.loops());
        monitor.watch(subscription);
        return subscription;
    }

    @Override
    public boolean takesHelpRequests() {
        return true;
    }

    @Override
    public Duration completionsWithin() {
        return config.completionsWithin();
    }

    @Override
    public Duration ownWorkAfter() {
        return config.ownWorkAfter();
    }

    /** The first subscription starts what serves all of them. */
    private PulseHealth heardPulses(WorkStore store) {
        boolean isFirst = pulses.isEmpty();
        PulseHealth health = pulses.computeIfAbsent(store, named -> new PulseHealth(named, config));
        if (isFirst) {
            threads.start(topics);
            threads.start(List.of(PulseReader.loop(config, topics, pulses.values(), meters)));
            threads.start(monitor);
            threads.start(writer);
        }
        return health;
    }

    /**
     * Ends all threads, at the latest after the close timeout, and commits what was handled. No subscription is healthy
     * from its beginning on. Closing again does nothing.
     */
    @Override
    public void close() {
        for (FeedSubscription ended : end()) {
            ended.feedCloses();
        }
        synchronized (this) {
            threads.close();
        }
    }

    private final class Owner implements FeedSubscription.Owner {
        @Override
        public AnnouncementWriter writer() {
            return writer;
        }

        @Override
        public void closed(FeedSubscription subscription) {
            end(subscription);
        }
    }

    /** One that is closed before the feed is. */
    private synchronized void end(FeedSubscription ended) {
        if (subscriptions.remove(ended)) {
            monitor.forget(ended);
            threads.stop(ended.loops());
        }
    }

    /** Outside of the lock they are told, since their listeners have locks of their own. */
    private synchronized List<FeedSubscription> end() {
        List<FeedSubscription> ended = List.copyOf(subscriptions);
        subscriptions.clear();
        closed = true;
        return ended;
    }

    /** To a feed that was closed before. */
    private enum NeverHealthy implements Subscription {
        SUBSCRIPTION;

        @Override
        public boolean isHealthy() {
            return false;
        }

        @Override
        public boolean isOwn(String instanceId) {
            return false;
        }

        @Override
        public void request(int activities) {
            // None will come.
        }
    }
}
