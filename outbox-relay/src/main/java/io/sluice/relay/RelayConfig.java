package io.sluice.relay;

import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.cosmos.Fleet;
import io.sluice.relay.topic.TopicRules;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything the relay is told. {@link #load} reads it from the environment and a properties file; {@link #of} starts
 * from the defaults for embedding. {@code --help} lists every setting with unit, range and default.
 *
 * @param cosmos the container that holds the orchestrations
 * @param kafka the Kafka to speak with, and the names used there
 * @param feed how the change feed is read
 * @param delivery how intents and commands are delivered
 * @param streams what is made of the history
 * @param operations how the process stops and shows itself
 */
public record RelayConfig(
        CosmosStoreConfig cosmos, Kafka kafka, Feed feed, Delivery delivery, Streams streams, Operations operations) {

    /**
     * The Kafka to speak with.
     *
     * @param bootstrapServers host:port, several separated by commas
     * @param clientSettings security settings of Kafka's clients, as Kafka names them; never logged
     * @param prefix begins the names of topics, groups and transactional ids
     * @param provisioning how missing topics are made
     * @param replyTopics names of the topics that commands may ask replies to, a {@code *} at the end standing for any
     *     rest; empty for those that begin with the prefix and a dot
     */
    public record Kafka(
            String bootstrapServers,
            Map<String, String> clientSettings,
            String prefix,
            Provisioning provisioning,
            List<String> replyTopics) {
        public Kafka {
            clientSettings = Map.copyOf(clientSettings);
            replyTopics = List.copyOf(replyTopics);
        }

        /** With replies to topics that begin with the prefix and a dot. */
        public Kafka(
                String bootstrapServers, Map<String, String> clientSettings, String prefix, Provisioning provisioning) {
            this(bootstrapServers, clientSettings, prefix, provisioning, List.of());
        }

        /** The names as they count. */
        List<String> allowedReplyTopics() {
            return replyTopics.isEmpty() ? List.of(prefix + ".*") : replyTopics;
        }

        /** Names the client settings without their values. */
        @Override
        public String toString() {
            return "Kafka[" + bootstrapServers + ", prefix " + prefix + ", client settings " + clientSettings.keySet()
                    + ", " + provisioning + "]";
        }
    }

    /**
     * How missing topics are made.
     *
     * @param atStart whether {@code run} makes missing topics and the lease container, rather than refuse
     * @param partitions of the history and commands topics
     * @param replicas of every topic, -1 for the broker's default
     * @param minInSync {@code min.insync.replicas} that every topic is made with and must have at least, -1 leaves it
     *     to the broker
     */
    public record Provisioning(boolean atStart, int partitions, int replicas, int minInSync) {
        /** With the broker's default of replicas that must be in sync. */
        public Provisioning(boolean atStart, int partitions, int replicas) {
            this(atStart, partitions, replicas, -1);
        }

        /** The same as rules for topics. */
        TopicRules rules(boolean mayCreate) {
            return new TopicRules(mayCreate, partitions, replicas, minInSync);
        }
    }

    /**
     * How the change feed is read.
     *
     * @param pageSize documents asked for at a time
     * @param shortestRest between two looks after activity
     * @param longestRest between two looks while nothing happens
     * @param sweepInterval between two looks for intents that the feed no longer shows
     * @param fromBeginning whether a missing position may become the beginning of the feed though events were published
     * @param from where a missing position begins, though events were published; null for the beginning of the feed
     */
    public record Feed(
            int pageSize,
            Duration shortestRest,
            Duration longestRest,
            Duration sweepInterval,
            boolean fromBeginning,
            @Nullable Instant from) {}

    /**
     * How intents and commands are delivered.
     *
     * @param concurrency sources worked on, and pairs of source and target delivered, at a time
     * @param backoff rests before what is in trouble, or was refused, is tried again
     * @param commandMaxAge older commands become dead letters
     * @param givingUp when intents are given up for good
     * @param fleet who else works on the store
     */
    public record Delivery(int concurrency, Backoff backoff, Duration commandMaxAge, GivingUp givingUp, Fleet fleet) {
        private static final Duration FIRST_REST = Duration.ofMillis(200);

        /** With rests that double up to the longest, in a fleet of Sluice alone. */
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
     * Rests between tries.
     *
     * @param kind how they grow
     * @param first the rest after the first failure
     * @param longest no rest is longer
     * @param jitter which part of a rest chance may take away, 0 to 1, so that those who failed together don't come
     *     back together
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

        /** The same with another longest rest, and a first that is no longer. */
        public Backoff withLongest(Duration newLongest) {
            return new Backoff(kind, first.compareTo(newLongest) < 0 ? first : newLongest, newLongest, jitter);
        }
    }

    /** How rests grow. */
    public enum BackoffKind {
        /** All alike. */
        FIXED,
        /** By the first rest each time. */
        LINEAR,
        /** Doubling. */
        EXPONENTIAL
    }

    /**
     * When intents are given up for good; they then are dead letters.
     *
     * @param maxAttempts tries that the store refused; an outage is none
     * @param maxAge since the intent was created
     * @param answerSources whether the source of a sub-orchestration's start is told that it failed; else it waits for
     *     ever
     */
    public record GivingUp(int maxAttempts, Duration maxAge, boolean answerSources) {}

    /**
     * What is made of the history: lifecycle, status, statistics, stuck.
     *
     * @param enabled whether this replica takes part
     * @param state folder of this replica alone
     * @param threads that share this replica's part
     * @param standbys copies of each state that other replicas hold ready
     * @param advertised host:port by which other replicas reach this one's HTTP, empty for none
     * @param window of the statistics
     * @param stuckAfter how long a running instance may be silent
     * @param retention for how long an ended instance is kept, zero for ever
     * @param avro how values are written as Avro; null for JSON
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
     * Who writes Avro.
     *
     * @param serializer class of a {@link org.apache.kafka.common.serialization.Serializer} that takes
     *     {@code GenericRecord}; it and Avro have to be on the class path
     * @param properties file of what it is configured with; null for nothing
     */
    public record Avro(String serializer, @Nullable Path properties) {}

    /**
     * What a replica of the streams alone is told: it needs no store.
     *
     * @param kafka the Kafka to speak with, and the names used there
     * @param streams what is made of the history
     * @param drainTimeout how long closing waits for work under way
     * @param startTimeout how long a start is tried again while Kafka can't be reached; zero for one try
     * @param http where it answers
     */
    public record StreamsOnly(Kafka kafka, Streams streams, Duration drainTimeout, Duration startTimeout, Http http) {}

    /**
     * How the process stops and shows itself.
     *
     * @param drainTimeout how long closing waits for work under way
     * @param startTimeout how long a start is tried again while Cosmos or Kafka can't be reached; zero for one try
     * @param livenessTimeout how long a worker that has work may be silent before the process isn't live
     * @param retriesPerSecond of dead letters that are retried by the many
     * @param throughputLimit request units a second this replica takes at most, 0 for no limit
     * @param throughputShare the same as a part of the container's throughput, 0 to 1, 0 for no limit; only one of both
     *     may be set
     * @param http where it answers operators
     */
    public record Operations(
            Duration drainTimeout,
            Duration startTimeout,
            Duration livenessTimeout,
            int retriesPerSecond,
            int throughputLimit,
            double throughputShare,
            Http http) {
        private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

        public Operations {
            if (throughputLimit > 0 && throughputShare > 0) {
                throw new IllegalArgumentException("throughputLimit and throughputShare are both set, to "
                        + throughputLimit + " and " + throughputShare + ": keep one");
            }
        }

        /** Trying to start for two minutes. */
        public Operations(
                Duration drainTimeout,
                Duration livenessTimeout,
                int retriesPerSecond,
                int throughputLimit,
                double throughputShare,
                Http http) {
            this(
                    drainTimeout,
                    START_TIMEOUT,
                    livenessTimeout,
                    retriesPerSecond,
                    throughputLimit,
                    throughputShare,
                    http);
        }

        /** The same without a share. */
        public Operations(
                Duration drainTimeout, Duration livenessTimeout, int retriesPerSecond, int throughputLimit, Http http) {
            this(drainTimeout, livenessTimeout, retriesPerSecond, throughputLimit, 0, http);
        }

        /** The same, trying to start for so long. */
        public Operations withStartTimeout(Duration timeout) {
            return new Operations(
                    drainTimeout, timeout, livenessTimeout, retriesPerSecond, throughputLimit, throughputShare, http);
        }
    }

    /**
     * Where it answers operators.
     *
     * @param host a name or address of this machine; one that is not loopback needs a token
     * @param port 0 for a free one, -1 for none
     * @param token what callers that change something must bring, null refuses them all; never shown
     * @param names by which it may be called, beside the host itself, addresses and names that no stranger can have;
     *     one that begins with a dot stands for all below
     */
    public record Http(String host, int port, @Nullable String token, List<String> names) {
        public Http {
            names = List.copyOf(names);
        }

        /** Called by address, or by names that no stranger can have. */
        public Http(String host, int port, @Nullable String token) {
            this(host, port, token, List.of());
        }

        /** Says whether there is a token, not which. */
        @Override
        public String toString() {
            return "Http[" + host + ":" + port + ", " + (token == null ? "no token" : "token (hidden)") + "]";
        }
    }

    /** The defaults, for a container and a Kafka. */
    public static RelayConfig of(CosmosStoreConfig cosmos, String kafkaBootstrapServers) {
        return ConfigLoader.defaults(cosmos, kafkaBootstrapServers);
    }

    /**
     * Reads the configuration; the environment wins over the file.
     *
     * @param file a properties file, null for none
     * @throws RelayConfigException with every fault there is
     */
    public static RelayConfig load(Map<String, String> environment, @Nullable Path file) {
        return ConfigLoader.load(environment, file);
    }

    /**
     * Reads only where a relay answers operators, from the same places.
     *
     * @throws RelayConfigException with every fault there is in that
     */
    public static Http loadHttp(Map<String, String> environment, @Nullable Path file) {
        return ConfigLoader.http(environment, file);
    }

    /**
     * Reads only what the streams need, from the same places.
     *
     * @throws RelayConfigException with every fault there is in that
     */
    public static StreamsOnly loadStreamsOnly(Map<String, String> environment, @Nullable Path file) {
        return ConfigLoader.streamsOnly(environment, file);
    }

    /** With another way of making something of the history. */
    public RelayConfig withStreams(Streams changed) {
        return new RelayConfig(cosmos, kafka, feed, delivery, changed, operations);
    }

    /** With another beginning of the names used in Kafka. */
    public RelayConfig withPrefix(String prefix) {
        var changed = new Kafka(
                kafka.bootstrapServers(), kafka.clientSettings(), prefix, kafka.provisioning(), kafka.replyTopics());
        return new RelayConfig(cosmos, changed, feed, delivery, streams, operations);
    }

    /** With other rules for missing topics. */
    public RelayConfig withProvisioning(Provisioning provisioning) {
        var changed = new Kafka(
                kafka.bootstrapServers(), kafka.clientSettings(), kafka.prefix(), provisioning, kafka.replyTopics());
        return new RelayConfig(cosmos, changed, feed, delivery, streams, operations);
    }

    /** With another way of reading the feed. */
    public RelayConfig withFeed(Feed changed) {
        return new RelayConfig(cosmos, kafka, changed, delivery, streams, operations);
    }

    /** With another way of delivering. */
    public RelayConfig withDelivery(Delivery changed) {
        return new RelayConfig(cosmos, kafka, feed, changed, streams, operations);
    }

    /** With other rules for the process. */
    public RelayConfig withOperations(Operations changed) {
        return new RelayConfig(cosmos, kafka, feed, delivery, streams, changed);
    }

    /** With leave to begin at the beginning of the feed where a position is missing. */
    public RelayConfig withFromBeginning(boolean fromBeginning) {
        return withFeed(new Feed(
                feed.pageSize(), feed.shortestRest(), feed.longestRest(), feed.sweepInterval(), fromBeginning, null));
    }

    /** With leave to begin at a point in time (the store's, whole seconds) where a position is missing. */
    public RelayConfig withFrom(Instant from) {
        return withFeed(
                new Feed(feed.pageSize(), feed.shortestRest(), feed.longestRest(), feed.sweepInterval(), false, from));
    }
}
