package io.sluice.relay.streams;

import io.sluice.program.FailureReason;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.topic.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.state.HostInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the Kafka Streams application that derives lifecycle events, statuses, statistics and stuck instances from the
 * history topic, exactly once. Replicas share its partitions. Started and closed by one thread; {@link #queries} may be
 * used by any.
 */
public final class LifecycleStreams implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LifecycleStreams.class);
    private static final int SESSION_TIMEOUT_MILLIS = 9_000;
    private static final int HEARTBEAT_MILLIS = 3_000;
    /**
     * A silent broker looks like a slow one: after this time a request to it is given up, and its successor is asked.
     */
    static final int REQUEST_TIMEOUT_MILLIS = 3_000;

    /**
     * Kafka needs ten to thirteen seconds to replace a broker. A transaction that ended sooner, as with the default of
     * Kafka Streams, would fence its thread, and the group would rebalance. It is not longer either: the successor of a
     * crashed instance has to wait that long.
     */
    /** Longer than other replicas take to give partitions away. */
    private static final Duration HANDOVER = Duration.ofSeconds(30);

    static final int TRANSACTION_TIMEOUT_MILLIS = (int) KafkaAccess.TRANSACTION_TIMEOUT.toMillis();

    /**
     * How long a thread retries a commit or the sending of a record. A coordinator waits half a minute for a broker
     * that became silent during a commit. Kafka Streams can't continue after a commit that was given up: its thread
     * ends, and the others wait for it.
     */
    static final int COMMIT_TIMEOUT_MILLIS = 60_000;

    /**
     * The configuration of the streams.
     *
     * @param stateDirectory of this replica only; lost state is restored from Kafka
     * @param threads each takes some of the partitions
     * @param standbys copies of each state that other replicas hold ready
     * @param replicas of its internal topics, -1 for the broker's default
     * @param minInSync of these replicas that must have a record before it counts as written, -1 for the broker's
     *     default
     * @param window of the statistics
     * @param stuckAfter how long a running instance may be silent
     * @param retention how long an ended instance is kept; zero for ever
     * @param advertised host and port by which other replicas reach this one's HTTP; null when there is one replica
     * @param form in which values are written; closed with the streams
     */
    public record Settings(
            Path stateDirectory,
            int threads,
            int standbys,
            int replicas,
            int minInSync,
            Duration window,
            Duration stuckAfter,
            Duration retention,
            @Nullable HostInfo advertised,
            ValueFormat form) {}

    /**
     * Callbacks that count; each runs on a thread of the streams, and again when the processing of a record is
     * repeated.
     *
     * @param stuck an instance was found to be stuck
     * @param removed an ended instance was removed, its time being over
     * @param jumped events of a partition had expired before they were read
     */
    public record Notices(Runnable stuck, Runnable removed, Runnable jumped) {}

    /** Without an address, Kafka Streams does not say which partition holds a key. */
    private static final HostInfo NOWHERE = new HostInfo("not-advertised", 1);

    private final KafkaStreams streams;
    /** When it ran first, by the nanosecond clock. */
    private final AtomicReference<@Nullable Long> firstRunning = new AtomicReference<>();

    private final Duration drainTimeout;
    private final ValueFormat form;
    private final InteractiveQueries queries;

    /** Connects nowhere yet. */
    public LifecycleStreams(
            KafkaAccess kafka, Topics topics, Settings settings, Duration drainTimeout, Notices notices) {
        var jumps = new HistoryJumps(topics.history());
        var topology = LifecycleTopology.topology(
                new LifecycleTopology.Settings(
                        topics, settings.window(), settings.stuckAfter(), settings.retention(), settings.form()),
                jumps,
                notices);
        this.streams = new KafkaStreams(topology, properties(kafka, topics, settings), new StreamsClients(jumps));
        this.drainTimeout = drainTimeout;
        this.form = settings.form();
        this.queries = new InteractiveQueries(
                streams, topics, settings.advertised(), new HistoryPartitions(kafka, topics)::count);
        streams.setUncaughtExceptionHandler(LifecycleStreams::failed);
        streams.setStateListener((now, before) -> {
            if (now == KafkaStreams.State.RUNNING) {
                firstRunning.compareAndSet(null, System.nanoTime());
            }
            LOG.atInfo().addKeyValue("state", now).addKeyValue("before", before).log("Kafka Streams changed its state");
        });
    }

    /** The settings of Kafka Streams and all of its clients. */
    static Properties properties(KafkaAccess kafka, Topics topics, Settings settings) {
        var properties = new Properties();
        properties.putAll(kafka.clientSettings());
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, topics.streamsApplication());
        properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        properties.put(StreamsConfig.STATE_DIR_CONFIG, settings.stateDirectory().toString());
        leaveGlobalThreadToHandler(properties);
        properties.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, settings.threads());
        properties.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, settings.standbys());
        properties.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, settings.replicas());
        properties.put(
                StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG),
                String.valueOf(KafkaAccess.MAX_RECORD_BYTES));
        if (settings.minInSync() > 0) {
            properties.put(
                    StreamsConfig.topicPrefix(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG),
                    String.valueOf(settings.minInSync()));
        }
        var advertised = settings.advertised() == null ? NOWHERE : settings.advertised();
        properties.put(StreamsConfig.APPLICATION_SERVER_CONFIG, advertised.host() + ":" + advertised.port());
        properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
        properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), SESSION_TIMEOUT_MILLIS);
        properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), HEARTBEAT_MILLIS);
        properties.put(
                StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), KafkaAccess.MAX_RECORD_BYTES);
        giveUpSoon(properties);
        return properties;
    }

    /**
     * There is no global thread; unset, a warning asks for it at each start, and once more where a consumer's assignor
     * reads its consumer's settings as those of streams. Kafka 5 knows no other way.
     */
    @SuppressWarnings("deprecation")
    private static void leaveGlobalThreadToHandler(Properties properties) {
        String enabled = StreamsConfig.PROCESSING_EXCEPTION_HANDLER_GLOBAL_ENABLED_CONFIG;
        properties.put(enabled, true);
        properties.put(StreamsConfig.mainConsumerPrefix(enabled), true);
    }

    /**
     * As long as the relay's own clients wait. A consumer's fetch waits on the broker for half a second at most, so its
     * answer is due as well.
     */
    private static void giveUpSoon(Properties properties) {
        properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG), REQUEST_TIMEOUT_MILLIS);
        properties.put(
                StreamsConfig.consumerPrefix(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG), TRANSACTION_TIMEOUT_MILLIS);
        properties.put(StreamsConfig.producerPrefix(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG), REQUEST_TIMEOUT_MILLIS);
        properties.put(
                StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), TRANSACTION_TIMEOUT_MILLIS);
        properties.put(StreamsConfig.producerPrefix(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG), COMMIT_TIMEOUT_MILLIS);
        properties.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_BLOCK_MS_CONFIG), COMMIT_TIMEOUT_MILLIS);
        properties.put(
                StreamsConfig.adminClientPrefix(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG), REQUEST_TIMEOUT_MILLIS);
        properties.put(
                StreamsConfig.adminClientPrefix(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG),
                TRANSACTION_TIMEOUT_MILLIS);
    }

    /** The cause may pass, and nothing of the failed transaction was committed: a new thread continues. */
    private static StreamThreadExceptionResponse failed(Throwable cause) {
        LOG.atError()
                .addKeyValue(LogKeys.REASON, FailureReason.of(cause))
                .setCause(cause)
                .log("a thread of Kafka Streams failed and is replaced");
        return StreamThreadExceptionResponse.REPLACE_THREAD;
    }

    /** Joins the group and begins; returns at once. */
    public void start() {
        streams.start();
    }

    /**
     * Whether every partition of this replica is up to date enough to be worked on. A replica that comes to others has
     * none at first, until they have given some away; without any it counts as running after half a minute, as there
     * may be more replicas than partitions.
     */
    public boolean isRunning() {
        if (streams.state() != KafkaStreams.State.RUNNING) {
            return false;
        }
        var since = firstRunning.get();
        return (since != null && System.nanoTime() - since > HANDOVER.toNanos()) || hasTasks();
    }

    private boolean hasTasks() {
        try {
            return streams.metadataForLocalThreads().stream()
                    .anyMatch(thread -> !thread.activeTasks().isEmpty());
        } catch (IllegalStateException e) {
            return false; // it has just ended
        }
    }

    /** Its state in Kafka's words, such as {@code REBALANCING}. */
    public String state() {
        return streams.state().name();
    }

    /** Queries of the state stores of all replicas. */
    public InteractiveQueries queries() {
        return queries;
    }

    /** Commits the records in progress and leaves the group, so that other replicas continue at once. */
    @Override
    public void close() {
        if (!streams.close(CloseOptions.timeout(drainTimeout)
                .withGroupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP))) {
            LOG.atWarn()
                    .addKeyValue("timeoutMillis", drainTimeout.toMillis())
                    .log("Kafka Streams did not stop within the drain timeout");
        }
        form.close();
    }
}
