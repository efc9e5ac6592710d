package io.sluice.relay.ledger.process;

import io.sluice.provider.InstanceFilter;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.kafka.KafkaWorkFeed;
import io.sluice.provider.work.WorkItem;
import io.sluice.relay.StopSignal;
import io.sluice.relay.ledger.load.Instances;
import io.sluice.relay.ledger.load.Journal;
import io.sluice.relay.ledger.load.Scheduled;
import io.sluice.relay.ledger.load.Story;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A runtime as a process of its own: dispatchers of turns and activities, and one that tidies up: finished orders are
 * deleted, hubs pruned, sessions kept and cleaned. Told its store by {@code COSMOS_…}, its journal and manners by
 * {@code LEDGER_…}.
 */
public final class RuntimeProgram {
    static final String JOURNAL = "LEDGER_JOURNAL";
    /** Whether it delivers intents itself where it can. */
    public static final String IMMEDIATE = "LEDGER_IMMEDIATE";
    /** How long a finished instance stays; 0 for ever. */
    public static final String KEEP_SECONDS = "LEDGER_KEEP_SECONDS";
    /** Seconds by which its clock is ahead, which no answer of the store corrects. */
    public static final String CLOCK_SECONDS = "LEDGER_CLOCK_SECONDS";

    private static final Logger LOG = LoggerFactory.getLogger(RuntimeProgram.class);
    private static final Duration LOCK = Duration.ofSeconds(15);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration SESSION_IDLE = Duration.ofSeconds(30);
    private static final Duration RELAY = Duration.ofSeconds(30);
    private static final Duration NOT_YET = Duration.ofMillis(200);
    private static final Duration TIDY = Duration.ofSeconds(4);
    private static final int DELETED_AT_A_TIME = 20;
    private static final int TURN_DISPATCHERS = 4;
    private static final int WORKERS = 2;

    private final CosmosProvider provider;
    private final ProviderAdmin admin;
    private final Journal journal;
    private final StopSignal stopped = new StopSignal();
    private final Duration keep;
    private final SessionFetchConfig session =
            new SessionFetchConfig(UUID.randomUUID().toString(), LOCK);

    private RuntimeProgram(CosmosProvider provider, Journal journal, Duration keep) {
        this.provider = provider;
        this.admin = provider.asManagementCapability().orElseThrow();
        this.journal = journal;
        this.keep = keep;
    }

    public static void main(String[] arguments) throws InterruptedException {
        var environment = System.getenv();
        var provider = Servers.retry(() -> open(environment));
        var runtime = new RuntimeProgram(
                provider,
                Journal.append(Path.of(environment.get(JOURNAL))),
                Duration.ofSeconds(Long.parseLong(environment.get(KEEP_SECONDS))));
        runtime.start();
        Runtime.getRuntime().addShutdownHook(new Thread(runtime::leave, "leave"));
        System.out.println("runtime works");
        Thread.currentThread().join();
    }

    static CosmosProvider open(Map<String, String> environment) {
        var builder = CosmosProvider.builder()
                .config(CosmosStoreConfig.fromEnvironment(environment))
                .immediateDelivery(Boolean.parseBoolean(environment.get(IMMEDIATE)))
                .relayExpected(RELAY);
        var skew = environment.get(CLOCK_SECONDS);
        if (skew != null) {
            builder.clock(InstantSource.offset(InstantSource.system(), Duration.ofSeconds(Long.parseLong(skew))));
        }
        if (Boolean.parseBoolean(environment.get("SLUICE_DISPATCH_ENABLED"))) {
            builder.workFeed(KafkaWorkFeed.builder()
                    .clientProperties(Map.of("bootstrap.servers", environment.get("KAFKA_BOOTSTRAP_SERVERS")))
                    .topicPrefix(environment.getOrDefault("SLUICE_PREFIX", "sluice"))
                    .build());
        }
        return builder.build();
    }

    private void start() {
        for (int i = 0; i < TURN_DISPATCHERS; i++) {
            repeat(this::turn, Duration.ZERO, "turns-" + i);
        }
        for (int i = 0; i < WORKERS; i++) {
            repeat(this::activity, Duration.ZERO, "activities-" + i);
        }
        repeat(this::renewSessions, LOCK.dividedBy(3), "sessions");
        repeat(this::tidy, TIDY, "tidy");
    }

    /** On SIGTERM: others take over at once. What was under way is left to them. */
    private void leave() {
        stopped.give();
        provider.close();
    }

    private void repeat(Runnable task, Duration pause, String name) {
        var thread = new Thread(
                () -> {
                    try {
                        while (!stopped.restFor(pause)) {
                            attempt(task);
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.start();
    }

    private static void attempt(Runnable task) {
        try {
            task.run();
        } catch (ProviderException e) {
            LOG.atWarn()
                    .addKeyValue("retryable", e.retryable())
                    .addKeyValue("reason", e.getMessage())
                    .log("an operation failed, it will be tried again");
        }
    }

    private void turn() {
        var fetched = provider.fetchOrchestrationItem(LOCK, POLL, null);
        if (fetched.isEmpty()) {
            return;
        }
        var ack = Story.of(fetched.get(), System.currentTimeMillis());
        if (ack.isPresent()) {
            commit(ack.get());
            journal.confirmed(ack.get().historyDelta());
        } else {
            provider.abandonOrchestrationItem(fetched.get().lockToken(), NOT_YET, true);
        }
    }

    /** A runtime repeats an ack for as long as it is told that this may help. */
    private void commit(TurnAck ack) {
        while (true) {
            try {
                provider.ackOrchestrationItem(ack);
                return;
            } catch (ProviderException e) {
                if (!e.retryable()) {
                    throw e;
                }
            }
        }
    }

    private void activity() {
        var fetched = provider.fetchWorkItem(LOCK, POLL, session, TagFilter.defaultOnly());
        if (fetched.isPresent() && fetched.get().item() instanceof WorkItem.ActivityExecute execute) {
            var token = fetched.get().lockToken();
            provider.renewWorkItemLock(token, LOCK);
            provider.ackWorkItem(token, Scheduled.result(execute));
        }
    }

    private void renewSessions() {
        provider.renewSessionLock(List.of(session.ownerId()), LOCK, SESSION_IDLE);
    }

    private void tidy() {
        if (!keep.isZero()) {
            admin.deleteInstanceBulk(
                    new InstanceFilter(null, System.currentTimeMillis() - keep.toMillis(), DELETED_AT_A_TIME));
            var hubs =
                    IntStream.range(0, Instances.HUBS).mapToObj(Instances::hub).toList();
            admin.pruneExecutionsBulk(InstanceFilter.of(hubs), PruneOptions.keepLast(2));
        }
        provider.cleanupOrphanedSessions(SESSION_IDLE);
    }
}
