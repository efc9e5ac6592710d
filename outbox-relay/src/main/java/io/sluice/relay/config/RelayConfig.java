package io.sluice.relay.config;

import io.sluice.program.http.OpsPort;
import io.sluice.program.setting.SettingsException;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.cosmos.Fleet;
import io.sluice.relay.feed.ReadPace;
import io.sluice.relay.history.FirstPosition;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.TopicRules;
import io.sluice.relay.topic.TransactionSupport;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a relay. {@link #load} reads it from the environment and a properties file; {@link #of} starts
 * from the defaults for embedding. {@code --help} lists every setting with unit, range and default.
 *
 * @param cosmos the container that holds the orchestrations
 * @param kafka the Kafka cluster, and the names used there
 * @param feed how the change feed is read
 * @param dispatch whether and how work is announced to the runtimes
 * @param delivery how intents and commands are delivered
 * @param streams the topics derived from the history
 * @param operations how the process starts and stops, and its port for operators
 */
public record RelayConfig(
        CosmosStoreConfig cosmos,
        Kafka kafka,
        Feed feed,
        Dispatch dispatch,
        Delivery delivery,
        Streams streams,
        Operations operations) {

    /** One that announces no work. */
    public RelayConfig(
            CosmosStoreConfig cosmos,
            Kafka kafka,
            Feed feed,
            Delivery delivery,
            Streams streams,
            Operations operations) {
        this(cosmos, kafka, feed, Dispatch.OFF, delivery, streams, operations);
    }

    /**
     * The Kafka cluster.
     *
     * @param bootstrapServers host:port, several separated by commas
     * @param clientSettings security settings of Kafka's clients, as Kafka names them; never logged
     * @param prefix begins the names of topics, groups and transactional ids
     * @param provisioning how missing topics are made
     * @param replyTopics names of the topics to which commands may request replies; a {@code *} at the end stands for
     *     any ending; empty for {@code <prefix>.replies} and {@code <prefix>.replies.*}
     * @param transactionVersion the lowest level of Kafka's feature {@code transaction.version} that is accepted
     */
    public record Kafka(
            String bootstrapServers,
            Map<String, String> clientSettings,
            String prefix,
            Provisioning provisioning,
            List<String> replyTopics,
            int transactionVersion) {
        public Kafka {
            clientSettings = Map.copyOf(clientSettings);
            replyTopics = List.copyOf(replyTopics);
        }

        /** With replies to {@code <prefix>.replies} and {@code <prefix>.replies.*}. */
        public Kafka(
                String bootstrapServers, Map<String, String> clientSettings, String prefix, Provisioning provisioning) {
            this(bootstrapServers, clientSettings, prefix, provisioning, List.of(), TransactionSupport.SAFE_VERSION);
        }

        /** How its clients reach it. */
        public KafkaAccess access() {
            return new KafkaAccess(bootstrapServers, clientSettings);
        }

        private Kafka with(String newPrefix, Provisioning rules) {
            return new Kafka(bootstrapServers, clientSettings, newPrefix, rules, replyTopics, transactionVersion);
        }

        /** The allowed names, also if none is configured. */
        public List<String> allowedReplyTopics() {
            return replyTopics.isEmpty() ? List.of(prefix + ".replies", prefix + ".replies.*") : replyTopics;
        }

        /** Names the client settings without their values. */
        @Override
        public String toString() {
            return "Kafka[" + bootstrapServers + ", prefix " + prefix + ", client settings " + clientSettings.keySet()
                    + ", " + provisioning + "]";
        }
    }

    /**
     * How missing topics are created.
     *
     * @param atStart whether {@code run} creates missing topics; otherwise it refuses to start
     * @param partitions of the history and commands topics
     * @param replicas of every topic, -1 for the broker's default
     * @param minInSync {@code min.insync.replicas} of created topics, and the least for existing ones; -1 leaves it to
     *     the broker
     */
    public record Provisioning(boolean atStart, int partitions, int replicas, int minInSync) {
        /** With the broker's default of {@code min.insync.replicas}. */
        public Provisioning(boolean atStart, int partitions, int replicas) {
            this(atStart, partitions, replicas, -1);
        }

        /** The same as rules for topics. */
        public TopicRules rules(boolean mayCreate) {
            return new TopicRules(mayCreate, partitions, replicas, minInSync);
        }
    }

    /**
     * How the change feed is read.
     *
     * @param pageSize documents requested per page
     * @param shortestInterval between two reads after activity
     * @param longestInterval between two reads while nothing changes
     * @param sweepInterval between two sweeps, which find intents that the feed no longer shows
     * @param fromBeginning whether a missing position may become the beginning of the feed though events were published
     * @param from where a missing position begins, though events were published; null for the beginning of the feed
     */
    public record Feed(
            int pageSize,
            Duration shortestInterval,
            Duration longestInterval,
            Duration sweepInterval,
            boolean fromBeginning,
            @Nullable Instant from) {
        /** How fast it is read. */
        public ReadPace pace() {
            return new ReadPace(pageSize, shortestInterval, longestInterval);
        }

        /** Where a range without a position begins. */
        public FirstPosition first() {
            return new FirstPosition(fromBeginning || from != null, from);
        }

        /** The same, read as often as announcements need it. */
        public Feed forDispatch(Dispatch dispatch) {
            if (!dispatch.enabled()) {
                return this;
            }
            var interval = dispatch.feedInterval();
            var shortest = shortestInterval.compareTo(interval) < 0 ? shortestInterval : interval;
            return new Feed(pageSize, shortest, interval, sweepInterval, fromBeginning, from);
        }
    }

    /**
     * How work is announced to the runtimes.
     *
     * @param enabled whether it is
     * @param feedInterval between two reads of the feed while nothing changes
     * @param lookaheadInterval between two lookaheads, each of which sees twice as far
     */
    public record Dispatch(boolean enabled, Duration feedInterval, Duration lookaheadInterval) {
        /** Work is not announced. */
        public static final Dispatch OFF = new Dispatch(false, Duration.ofMillis(100), Duration.ofSeconds(30));

        /** The same, switched on. */
        public Dispatch on() {
            return new Dispatch(true, feedInterval, lookaheadInterval);
        }
    }

    /**
     * How intents and commands are delivered.
     *
     * @param concurrency number of sources drained, and of pairs of source and target delivered, at a time
     * @param backoff waits before a failed or refused delivery is retried
     * @param commandMaxAge older commands become dead letters
     * @param givingUp when intents are given up
     * @param fleet which runtimes use the store
     */
    public record Delivery(int concurrency, Backoff backoff, Duration commandMaxAge, GivingUp givingUp, Fleet fleet) {
        private static final Duration FIRST_REST = Duration.ofMillis(200);

        /** With exponential backoff up to the longest wait, and without Rust runtimes. */
        public Delivery(int concurrency, Duration longestBackoff, Duration commandMaxAge, GivingUp givingUp) {
            this(
                    concurrency,
                    new Backoff(BackoffKind.EXPONENTIAL, FIRST_REST, FIRST_REST, 0.5).withLongest(longestBackoff),
                    commandMaxAge,
                    givingUp,
                    Fleet.SLUICE);
        }
    }

    /**
     * Waits between attempts.
     *
     * @param kind how they grow
     * @param first the wait after the first failure
     * @param longest maximal wait
     * @param jitter part of a wait that chance may take away, 0 to 1, so that requests that failed together are not
     *     repeated together
     */
    public record Backoff(BackoffKind kind, Duration first, Duration longest, double jitter) {
        public Backoff {
            if (!(jitter >= 0 && jitter <= 1)) {
                throw new IllegalArgumentException("jitter must be 0 to 1, was " + jitter);
            }
        }

        /** The same with a first wait of at least this. */
        public Backoff withFirstAtLeast(Duration least) {
            return new Backoff(kind, first.compareTo(least) < 0 ? least : first, longest, jitter);
        }

        /** The same with another longest wait, and a first wait that is not longer. */
        public Backoff withLongest(Duration newLongest) {
            return new Backoff(kind, first.compareTo(newLongest) < 0 ? first : newLongest, newLongest, jitter);
        }
    }

    /** How waits grow. */
    public enum BackoffKind {
        /** All equal. */
        FIXED,
        /** By the first wait each time. */
        LINEAR,
        /** Doubling. */
        EXPONENTIAL
    }

    /**
     * When intents are given up and become dead letters.
     *
     * @param maxAttempts attempts that the store refused; an outage does not count
     * @param maxAge since the intent was created
     * @param answerSources whether the source of a sub-orchestration gets an error if it could not be started;
     *     otherwise it waits for ever
     */
    public record GivingUp(int maxAttempts, Duration maxAge, boolean answerSources) {}

    /**
     * The topics derived from the history: lifecycle, status, statistics, stuck.
     *
     * @param enabled whether this replica runs the streams
     * @param state directory of this replica, not shared with others
     * @param threads of the streams in this replica
     * @param standbys copies of each state in other replicas
     * @param advertised host:port by which other replicas reach this replica's HTTP port; empty for none
     * @param window of the statistics
     * @param stuckAfter how long a running instance may have no event
     * @param retention how long an ended instance is kept; zero for ever
     * @param avro serializer of Avro values; null for JSON
     */
    public record Streams(
            boolean enabled,
            Path state,
            int threads,
            int standbys,
            String advertised,
            Duration window,
            Duration stuckAfter,
            Duration retention,
            @Nullable Avro avro) {
        private static final Duration USUAL_RETENTION = Duration.ofDays(30);

        /** In JSON, with ended instances kept for 30 days. */
        public Streams(
                boolean enabled,
                Path state,
                int threads,
                int standbys,
                String advertised,
                Duration window,
                Duration stuckAfter) {
            this(enabled, state, threads, standbys, advertised, window, stuckAfter, USUAL_RETENTION, null);
        }
    }

    /**
     * The serializer of Avro values.
     *
     * @param serializer class of a {@link org.apache.kafka.common.serialization.Serializer} that takes
     *     {@code GenericRecord}; it and Avro have to be on the class path
     * @param properties file with its configuration; null for none
     */
    public record Avro(String serializer, @Nullable Path properties) {}

    /**
     * The configuration of a replica that only runs the streams: it needs no store.
     *
     * @param kafka the Kafka cluster, and the names used there
     * @param streams the topics derived from the history
     * @param drainTimeout how long closing waits for work in progress
     * @param startTimeout how long the start is retried while Kafka can't be reached; zero for one attempt
     * @param http its port for operators
     */
    public record StreamsOnly(
            Kafka kafka, Streams streams, Duration drainTimeout, Duration startTimeout, OpsPort http) {}

    /**
     * How the process starts and stops, and its port for operators.
     *
     * @param drainTimeout how long closing waits for work in progress
     * @param startTimeout how long the start is retried while Cosmos or Kafka can't be reached; zero for one attempt
     * @param livenessTimeout how long a worker with work may give no heartbeat before the process isn't live
     * @param retriesPerSecond limit for a retry of many dead letters
     * @param throughputLimit limit of request units a second for this replica, 0 for none
     * @param throughputShare the same limit as a share of the container's throughput, 0 to 1, 0 for none; only one of
     *     the two may be set
     * @param scanLimit limit of request units a second for this replica's sweeps, lookaheads, counts and lists, 0 for
     *     none, or for a quarter of the limit or the share
     * @param http the port for operators
     */
    public record Operations(
            Duration drainTimeout,
            Duration startTimeout,
            Duration livenessTimeout,
            int retriesPerSecond,
            int throughputLimit,
            double throughputShare,
            int scanLimit,
            OpsPort http) {
        private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

        public Operations {
            if (throughputLimit > 0 && throughputShare > 0) {
                throw new IllegalArgumentException("throughputLimit and throughputShare are both set, to "
                        + throughputLimit + " and " + throughputShare + ": keep one");
            }
        }

        /** Whether a replica is limited to a part of the container's throughput. */
        public boolean isThrottled() {
            return throughputLimit > 0 || throughputShare > 0;
        }

        private Operations withThroughputLimit(int limit) {
            return new Operations(
                    drainTimeout, startTimeout, livenessTimeout, retriesPerSecond, limit, 0, scanLimit, http);
        }

        /** The same with another limit for scans; 0 for none of their own. */
        public Operations withScanLimit(int requestUnits) {
            return new Operations(
                    drainTimeout,
                    startTimeout,
                    livenessTimeout,
                    retriesPerSecond,
                    throughputLimit,
                    throughputShare,
                    requestUnits,
                    http);
        }

        /** With a start timeout of two minutes. */
        public Operations(
                Duration drainTimeout,
                Duration livenessTimeout,
                int retriesPerSecond,
                int throughputLimit,
                double throughputShare,
                OpsPort http) {
            this(
                    drainTimeout,
                    START_TIMEOUT,
                    livenessTimeout,
                    retriesPerSecond,
                    throughputLimit,
                    throughputShare,
                    0,
                    http);
        }

        /** The same without a share. */
        public Operations(
                Duration drainTimeout,
                Duration livenessTimeout,
                int retriesPerSecond,
                int throughputLimit,
                OpsPort http) {
            this(drainTimeout, livenessTimeout, retriesPerSecond, throughputLimit, 0, http);
        }

        /** The same with another start timeout. */
        public Operations withStartTimeout(Duration timeout) {
            return new Operations(
                    drainTimeout,
                    timeout,
                    livenessTimeout,
                    retriesPerSecond,
                    throughputLimit,
                    throughputShare,
                    scanLimit,
                    http);
        }
    }

    /** The defaults for a container and a Kafka cluster. */
    public static RelayConfig of(CosmosStoreConfig cosmos, String kafkaBootstrapServers) {
        return ConfigLoader.defaults(cosmos, kafkaBootstrapServers);
    }

    /**
     * Reads the configuration; the environment takes precedence over the file.
     *
     * @param file a properties file, null for none
     * @throws SettingsException with every fault
     */
    public static RelayConfig load(Map<String, String> environment, @Nullable Path file) {
        return ConfigLoader.load(environment, file);
    }

    /**
     * Reads only the port for operators, from the same sources.
     *
     * @throws SettingsException with every fault in it
     */
    public static OpsPort loadHttp(Map<String, String> environment, @Nullable Path file) {
        return ConfigLoader.http(environment, file);
    }

    /**
     * Reads only the configuration of the streams, from the same sources.
     *
     * @throws SettingsException with every fault in it
     */
    public static StreamsOnly loadStreamsOnly(Map<String, String> environment, @Nullable Path file) {
        return ConfigLoader.streamsOnly(environment, file);
    }

    /** With another configuration of the streams. */
    public RelayConfig withStreams(Streams changed) {
        return new RelayConfig(cosmos, kafka, feed, dispatch, delivery, changed, operations);
    }

    /** With another prefix of the names used in Kafka. */
    public RelayConfig withPrefix(String prefix) {
        var changed = kafka.with(prefix, kafka.provisioning());
        return new RelayConfig(cosmos, changed, feed, dispatch, delivery, streams, operations);
    }

    /** With other rules for missing topics. */
    public RelayConfig withProvisioning(Provisioning provisioning) {
        var changed = kafka.with(kafka.prefix(), provisioning);
        return new RelayConfig(cosmos, changed, feed, dispatch, delivery, streams, operations);
    }

    /** With another configuration of the feed. */
    public RelayConfig withFeed(Feed changed) {
        return new RelayConfig(cosmos, kafka, changed, dispatch, delivery, streams, operations);
    }

    /** With another configuration of dispatch. */
    public RelayConfig withDispatch(Dispatch changed) {
        return new RelayConfig(cosmos, kafka, feed, changed, delivery, streams, operations);
    }

    /** With another configuration of delivery. */
    public RelayConfig withDelivery(Delivery changed) {
        return new RelayConfig(cosmos, kafka, feed, dispatch, changed, streams, operations);
    }

    /** With another configuration of operations. */
    public RelayConfig withOperations(Operations changed) {
        return new RelayConfig(cosmos, kafka, feed, dispatch, delivery, streams, changed);
    }

    /** With missing positions at the beginning of the feed, even if events were published. */
    public RelayConfig withFromBeginning(boolean fromBeginning) {
        return withFeed(new Feed(
                feed.pageSize(),
                feed.shortestInterval(),
                feed.longestInterval(),
                feed.sweepInterval(),
                fromBeginning,
                null));
    }

    /** With missing positions at a point in time (the store's, whole seconds), even if events were published. */
    public RelayConfig withFrom(Instant from) {
        return withFeed(new Feed(
                feed.pageSize(), feed.shortestInterval(), feed.longestInterval(), feed.sweepInterval(), false, from));
    }

    /** With at most so many request units a second. */
    public RelayConfig withThroughputLimit(int limit) {
        return withOperations(operations.withThroughputLimit(limit));
    }
}
