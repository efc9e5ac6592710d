package io.sluice.provider.cosmos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import io.sluice.provider.request.Operations;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

@Isolated("other tests' lines of the same logger would be counted")
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProviderMetersIT {
    /** More than a request takes on a busy machine. */
    private static final Duration SLOW = Duration.ofMillis(1_200);

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(Operations.class);
    private CosmosProvider provider;

    @BeforeEach
    void open() {
        var config = new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        CosmosStore.provision(config);
        provider = CosmosProvider.builder()
                .reconciler(false)
                .config(config)
                .meterRegistry(registry)
                .slowOperationThreshold(SLOW)
                .build();
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void close() {
        logger.detachAppender(logged);
        provider.close();
    }

    @Test
    void an_operation_shows_with_its_requests_and_its_charge() {
        provider.enqueueForOrchestrator(start("order-1"), null);

        assertThat(timed("enqueueForOrchestrator", "ok")).isEqualTo(1);
        assertThat(registry.get("sluice.provider.operation.requests")
                        .tag("operation", "enqueueForOrchestrator")
                        .summary()
                        .totalAmount())
                .isEqualTo(1);
        assertThat(registry.get("sluice.provider.operation.charge")
                        .tag("operation", "enqueueForOrchestrator")
                        .summary()
                        .totalAmount())
                .isPositive();
        assertThat(registry.get("sluice.provider.clock.offset").timeGauge().value(TimeUnit.SECONDS))
                .isBetween(-1.0, 1.0);
    }

    @Test
    void a_closed_provider_leaves_no_gauge_of_its_store() {
        provider.close();

        assertThat(registry.find("sluice.provider.clock.offset").timeGauge()).isNull();
    }

    @Test
    void nothing_to_do_is_no_slow_operation_however_long_the_wait() {
        assertThat(provider.fetchOrchestrationItem(Duration.ofSeconds(5), SLOW.plusMillis(500), null))
                .isEmpty();

        assertThat(timed("fetchOrchestrationItem", "empty")).isEqualTo(1);
        assertThat(logged.list).isEmpty();
    }

    @Test
    void throttling_retries_and_conflicts_are_counted_where_they_happened() {
        account.requireEmulator().faults().refuse(StoreFixture::isBatch, 1, 429, 3200);
        provider.enqueueForOrchestrator(start("order-1"), null);

        assertThat(counted("sluice.provider.throttles", "enqueueForOrchestrator"))
                .isEqualTo(1);
        assertThat(counted("sluice.provider.retries", "enqueueForOrchestrator")).isEqualTo(1);
        assertThat(registry.get("sluice.provider.requests")
                        .tags(Tags.of("operation", "enqueueForOrchestrator", "outcome", "throttled"))
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void a_lost_lock_is_counted_as_that() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn turn = provider.fetchOrchestrationItem(Duration.ofSeconds(5), Duration.ofSeconds(5), null)
                .orElseThrow();
        provider.abandonOrchestrationItem(turn.lockToken(), null, true);

        assertThatThrownBy(() -> provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)))
                .isInstanceOf(ProviderException.class);

        assertThat(counted("sluice.provider.lock.losses", "ackOrchestrationItem"))
                .isEqualTo(1);
        assertThat(timed("ackOrchestrationItem", "lock_lost")).isEqualTo(1);
    }

    @Test
    void a_slow_operation_is_one_line_without_content() {
        account.requireEmulator().faults().delay(StoreFixture::isBatch, 1, SLOW.plusMillis(200));

        provider.enqueueForOrchestrator(
                new WorkItem.ExternalRaised("order-1", "signal", "the customer's secret"), null);

        assertThat(logged.list).hasSize(1);
        ILoggingEvent line = logged.list.get(0);
        assertThat(line.getLevel()).isEqualTo(Level.WARN);
        String values = line.getKeyValuePairs().toString();
        assertThat(values)
                .contains("operation=\"enqueueForOrchestrator\"")
                .contains("order-1")
                .contains("requestUnits")
                .contains("requests=\"1\"")
                .doesNotContain("secret")
                .doesNotContain(account.key());
    }

    @Test
    void the_sdks_diagnostics_show_at_the_debug_level_and_show_no_content() {
        logger.setLevel(Level.DEBUG);
        try {
            account.requireEmulator().faults().delay(StoreFixture::isBatch, 1, SLOW.plusMillis(200));

            provider.enqueueForOrchestrator(
                    new WorkItem.ExternalRaised("order-1", "signal", "the customer's secret"), null);

            assertThat(logged.list.get(0).getKeyValuePairs().toString())
                    .contains("diagnostics")
                    .contains("userAgent")
                    .doesNotContain("secret")
                    .doesNotContain(account.key());
        } finally {
            logger.setLevel(null);
        }
    }

    private long timed(String operation, String result) {
        return registry.get("sluice.provider.operations")
                .tags(Tags.of("operation", operation, "result", result))
                .timer()
                .count();
    }

    private double counted(String name, String operation) {
        return registry.get(name).tag("operation", operation).counter().count();
    }

    private static WorkItem start(String instance) {
        return new WorkItem.StartOrchestration(instance, "Order", "{}", "1.0.0", null, null, null, 1);
    }
}
