package io.sluice.relay;

import io.sluice.program.PrerequisiteException;
import io.sluice.provider.ProviderException;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.loop.StartRetry;
import io.sluice.relay.loop.StopRequest;
import io.sluice.relay.runtime.IntentsBeforeStart;
import io.sluice.relay.runtime.RelayRuntime;
import io.sluice.relay.runtime.StartupHealthServer;
import io.sluice.relay.status.RelayStatus;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replica of the outbox relay: intents from the change feed into their target partitions, histories into Kafka,
 * commands from Kafka into orchestrator queues. Any number of replicas share the work.
 *
 * <pre>{@code
 * try (var relay = OutboxRelay.builder().config(RelayConfig.load(System.getenv(), null)).build()) {
 *     relay.start();
 *     …
 * }
 * }</pre>
 *
 * <p>{@link #start} and {@link #close} are idempotent, close works before start; a closed relay stays closed.
 * Thread-safe.
 */
public final class OutboxRelay implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);

    private final RelayConfig config;
    private final String name;
    private final @Nullable InstantSource clock;
    private final StopRequest stop = new StopRequest();
    private final StartupHealthServer room;
    private final IntentsBeforeStart meanwhile;
    private volatile @Nullable RelayRuntime parts;

    private OutboxRelay(RelayConfig config, String name, @Nullable InstantSource clock) {
        this.config = config;
        this.name = name;
        this.clock = clock;
        this.room = new StartupHealthServer(name, config.operations().http());
        this.meanwhile = new IntentsBeforeStart(config, clock);
    }

    /** Begins to build a relay. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds a relay; only the configuration is required. Not thread-safe. */
    public static final class Builder {
        private @Nullable RelayConfig config;
        private String name = hostName() + "-" + UUID.randomUUID().toString().substring(0, 8);
        private @Nullable InstantSource clock;

        private Builder() {}

        /** The configuration; required. */
        public Builder config(RelayConfig newConfig) {
            config = newConfig;
            return this;
        }

        /** Its name in logs and answers, which must be unique; by default the host's name with a random suffix. */
        public Builder name(String newName) {
            name = newName;
            return this;
        }

        /**
         * The clock, for tests; by default the service's own time, independent of this machine's clock.
         */
        public Builder clock(InstantSource newClock) {
            clock = newClock;
            return this;
        }

        /**
         * Builds it; connects nowhere.
         *
         * @throws IllegalStateException when there is no configuration
         */
        public OutboxRelay build() {
            if (config == null) {
                throw new IllegalStateException("a relay needs a configuration: call config first");
            }
            return new OutboxRelay(config, name, clock);
        }

        private static String hostName() {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                return "relay";
            }
        }
    }

    /**
     * Connects, checks all prerequisites, and begins to work. Takes some seconds; returns when this replica is in its
     * groups, which then assign work to it. While Cosmos or Kafka can't be reached the start is retried for the
     * configured time, and the health endpoints at the port for operators give the reason; while only Kafka is away,
     * intents are delivered meanwhile. {@link #close} from another thread ends the retries.
     *
     * @throws RelayStartException if Cosmos or Kafka can't be reached, refuse, or have the wrong content; nothing is
     *     left running
     * @throws IllegalStateException when the relay was closed
     */
    public synchronized void start() {
        if (stop.isRequested()) {
            throw new IllegalStateException("a closed relay can't be started again; build a new one");
        }
        if (parts != null) {
            return;
        }
        LOG.atInfo()
                .addKeyValue("relay", name)
                .addKeyValue("cosmos", config.cosmos().endpoint())
                .addKeyValue("kafka", config.kafka().bootstrapServers())
                .addKeyValue("prefix", config.kafka().prefix())
                .log("relay starts");
        LOG.atDebug().addKeyValue("config", config).log("the relay's configuration");
        try (room;
                meanwhile) {
            room.open();
            parts = new StartRetry(config.operations().startTimeout(), stop, this::failed)
                    .run(() -> RelayRuntime.start(config, name, clock, room::close));
        } catch (PrerequisiteException | ProviderException e) {
            throw RelayStartException.of(e);
        }
        LOG.atInfo().addKeyValue("relay", name).log("relay started");
    }

    private void failed(String reason) {
        room.failed(reason);
        room.open();
        if (!stop.isRequested()) {
            meanwhile.begin();
        }
    }

    /** Its counts and present state; returns at once without requests, also while it starts or closes. */
    public RelayStatus status() {
        var running = parts;
        return running == null ? RelayStatus.NOT_RUNNING : running.status();
    }

    /** The port of health and status, -1 when none is open. */
    public int opsPort() {
        var running = parts;
        return running == null ? -1 : running.opsPort();
    }

    /** Finishes work in progress, commits and leaves groups, so that other replicas go on at once. */
    @Override
    public void close() {
        stop.request();
        closeParts();
    }

    private synchronized void closeParts() {
        var running = parts;
        if (running != null) {
            LOG.atInfo().addKeyValue("relay", name).log("relay drains");
            running.close();
            parts = null;
            LOG.atInfo().addKeyValue("relay", name).log("relay closed");
        }
    }
}
