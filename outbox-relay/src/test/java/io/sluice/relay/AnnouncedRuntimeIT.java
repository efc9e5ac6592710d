package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.kafka.KafkaWorkFeed;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A relay announces, Kafka carries, and a runtime that hears of its work does not search for it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AnnouncedRuntimeIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LOCK = Duration.ofSeconds(30);

    @RegisterExtension
    final CloseAfterTest opened = new CloseAfterTest();

    @Test
    void an_order_costs_a_lock_and_an_ack_for_each_step() {
        var store = opened.add(TestStore.provisioned(cosmos));
        var relay = opened.add(OutboxRelay.builder()
                .config(TestConfig.of(store, kafka)
                        .withDispatch(new RelayConfig.Dispatch(true, Duration.ofMillis(50), Duration.ofSeconds(30))))
                .build());
        relay.start();
        var client = opened.add(CosmosProvider.builder()
                .config(store.config())
                .relayExpected(Duration.ofSeconds(30))
                .build());
        var runtime = opened.add(new SmallRuntime(store));
        await().atMost(PATIENCE).until(runtime::isAnnounced);
        runtime.awaitQuiet();

        double before = runtime.requests();
        client.enqueueForOrchestrator(start("order-1"), null);
        await().atMost(PATIENCE).until(() -> runtime.done.contains("order-1"));

        // Six of the start, the activity and its completion; a look at each turn, since in the first two minutes of a
        // group nothing is known to be all; and perhaps the lock of an activity that the runtime has already.
        assertThat(runtime.requests() - before).as(runtime.describe()).isBetween(6.0, 9.0);
        for (int order = 2; order <= 40; order++) {
            client.enqueueForOrchestrator(start("order-" + order), null);
        }
        await().atMost(PATIENCE).until(() -> runtime.done.size() == 40);
        runtime.awaitQuiet();
        assertThat(runtime.requests() - before).as(runtime.describe()).isLessThanOrEqualTo(40 * 9);
    }

    private static WorkItem start(String instance) {
        return new WorkItem.StartOrchestration(instance, "Order", "{}", "1.0.0", null, null, null, 1);
    }

    /** Two dispatchers that run orders of one activity. */
    private static final class SmallRuntime implements AutoCloseable {
        private final MeterRegistry meters = new SimpleMeterRegistry();
        private final CosmosProvider provider;
        private final ExecutorService dispatchers = Executors.newFixedThreadPool(2);
        private final Set<String> done = ConcurrentHashMap.newKeySet();
        private volatile boolean isClosed;

        SmallRuntime(TestStore store) {
            provider = CosmosProvider.builder()
                    .config(store.config())
                    .relayExpected(Duration.ofSeconds(30))
                    .meterRegistry(meters)
                    .workFeed(KafkaWorkFeed.builder()
                            .clientProperties(Map.of("bootstrap.servers", kafka.bootstrapServers()))
                            .topicPrefix(kafka.prefix())
                            .meterRegistry(meters)
                            .build())
                    .build();
            dispatchers.execute(() -> repeat(this::runTurn));
            dispatchers.execute(() -> repeat(this::runActivity));
        }

        private void repeat(Runnable step) {
            while (!isClosed) {
                step.run();
            }
        }

        private void runTurn() {
            provider.fetchOrchestrationItem(LOCK, Duration.ofSeconds(1), null).ifPresent(turn -> {
                boolean isStart = turn.item().history().isEmpty();
                provider.ackOrchestrationItem(isStart ? begun(turn) : ended(turn));
                if (!isStart) {
                    done.add(turn.item().instance());
                }
            });
        }

        private static TurnAck begun(LockedTurn turn) {
            String instance = turn.item().instance();
            return TurnAck.of(turn.lockToken(), 1)
                    .withHistory(List.of(event(instance, 1)))
                    .withWorkerItems(List.of(new WorkItem.ActivityExecute(instance, 1, 2, "charge", "{}", null, null)))
                    .withMetadata(ExecutionMetadata.NONE.withOrchestration("Order", "1.0.0"));
        }

        private static TurnAck ended(LockedTurn turn) {
            return TurnAck.of(turn.lockToken(), 1)
                    .withHistory(List.of(event(turn.item().instance(), 3)));
        }

        private static HistoryEvent event(String instance, long id) {
            return HistoryEvent.of(
                    id, instance, 1, System.currentTimeMillis(), "0.1.32", new EventKind.ExternalEvent("step", "{}"));
        }

        private void runActivity() {
            provider.fetchWorkItem(LOCK, Duration.ofSeconds(1), null, TagFilter.defaultOnly())
                    .ifPresent(activity -> {
                        var execute = (WorkItem.ActivityExecute) activity.item();
                        provider.ackWorkItem(
                                activity.lockToken(),
                                new WorkItem.ActivityCompleted(execute.instance(), 1, execute.id(), "done"));
                    });
        }

        boolean isAnnounced() {
            return meters.find("sluice.work.feed.healthy").gauges().stream()
                            .filter(gauge -> gauge.value() == 1)
                            .count()
                    == 2;
        }

        double requests() {
            return meters.find("sluice.provider.requests").timers().stream()
                    .mapToLong(Timer::count)
                    .sum();
        }

        String describe() {
            return meters.find("sluice.provider.requests").timers().stream()
                    .filter(timer -> timer.count() > 0)
                    .map(timer -> timer.getId().getTag("operation") + " "
                            + timer.getId().getTag("outcome") + " " + timer.count())
                    .collect(Collectors.joining(", "));
        }

        /** Until two seconds have passed without a request. */
        void awaitQuiet() {
            await().atMost(PATIENCE).until(this::requests, new Unchanged(Duration.ofSeconds(2))::isMet);
        }

        @Override
        public void close() {
            isClosed = true;
            provider.close();
            dispatchers.shutdownNow();
            await().atMost(PATIENCE).until(dispatchers::isTerminated);
        }
    }

    /** Met by a value that has been the same for a while. */
    private static final class Unchanged {
        private final long nanos;
        private double value = -1;
        private long sinceNanos = System.nanoTime();

        Unchanged(Duration time) {
            this.nanos = time.toNanos();
        }

        boolean isMet(double now) {
            if (now != value) {
                value = now;
                sinceNanos = System.nanoTime();
            }
            return System.nanoTime() - sinceNanos >= nanos;
        }
    }
}
