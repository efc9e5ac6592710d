package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.program.cli.ExitCode;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.loop.StartRetry;
import io.sluice.testkit.EmbeddedKafka;
import io.sluice.testkit.FreePorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProvisioningIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    static Path folder;

    /** Tells of the first try that is followed by another, or of the end. */
    private static final class Tries extends AppenderBase<ILoggingEvent> implements AutoCloseable {
        private final CountDownLatch failed = new CountDownLatch(1);
        private final Logger logger = (Logger) LoggerFactory.getLogger(StartRetry.class);

        Tries() {
            logger.addAppender(this);
            start();
        }

        @Override
        protected void append(ILoggingEvent event) {
            failed.countDown();
        }

        boolean awaitFailure() throws InterruptedException {
            return failed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }

        @Override
        public void close() {
            logger.detachAppender(this);
            stop();
        }
    }

    private static Map<String, String> environment(CosmosEmulator emulator, int port) {
        var environment = new HashMap<String, String>();
        environment.put("COSMOS_ENDPOINT", emulator.endpoint());
        environment.put("COSMOS_KEY", emulator.key());
        environment.put("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:" + port);
        environment.put("SLUICE_TOPIC_REPLICATION", "1");
        environment.put("SLUICE_TOPIC_PARTITIONS", "2");
        environment.put("SLUICE_START_TIMEOUT", String.valueOf(PATIENCE.toMillis()));
        return environment;
    }

    @Test
    void a_broker_that_comes_up_later_is_waited_for() throws Exception {
        int port = FreePorts.of(1).get(0);
        try (var tries = new Tries();
                var emulator = CosmosEmulator.start(EmulatorConfig.inMemory())) {
            var environment = environment(emulator, port);
            var run = CompletableFuture.supplyAsync(() -> CommandRun.of(environment, "provision"))
                    .whenComplete((done, failure) -> tries.failed.countDown());
            assertThat(tries.awaitFailure()).as("a first try, without a broker").isTrue();

            try (var kafka = EmbeddedKafka.start(folder.resolve("kafka"), port)) {
                assertThat(kafka.port()).isEqualTo(port);
                await().atMost(PATIENCE).until(run::isDone);
            }

            assertThat(run.join().code()).as(run.join().err()).isEqualTo(ExitCode.DONE);
        }
    }

    @Test
    void with_no_time_to_wait_the_first_try_is_the_last() throws Exception {
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory())) {
            var environment = environment(emulator, FreePorts.of(1).get(0));
            environment.put("SLUICE_START_TIMEOUT", "0");

            var run = CommandRun.of(environment, "provision");

            assertThat(run.code()).isEqualTo(ExitCode.START);
            assertThat(run.err()).contains("can't reach Kafka");
        }
    }

    /** Brokers that allow no transaction as long as the relay's. */
    @Test
    void what_run_refuses_of_the_brokers_check_and_provision_refuse_as_well() throws Exception {
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory());
                var kafka = EmbeddedKafka.start(Map.of("transaction.max.timeout.ms", "15000"))) {
            var environment = environment(emulator, kafka.port());
            environment.put("SLUICE_START_TIMEOUT", "0");

            assertRefused(environment, "provision");
            try (var cosmos = cosmos(emulator)) {
                assertThat(cosmos.readAllDatabases())
                        .as("nothing is left behind")
                        .isEmpty();
            }
            try (var admin = new KafkaAccess(kafka.bootstrapServers(), Map.of()).admin()) {
                assertThat(admin.listTopics().names().get()).isEmpty();
            }
            CosmosStore.provision(new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "duroxide", "duroxide"));
            assertRefused(environment, "check");
            assertRefused(environment, "run");
        }
    }

    private static CosmosClient cosmos(CosmosEmulator emulator) {
        return new CosmosClientBuilder()
                .endpoint(emulator.endpoint())
                .key(emulator.key())
                .gatewayMode()
                .buildClient();
    }

    private static void assertRefused(Map<String, String> environment, String verb) {
        var run = CommandRun.of(environment, verb);

        assertThat(run.code()).as(verb + ": " + run.out()).isEqualTo(ExitCode.START);
        assertThat(run.err()).as(verb).contains("transaction.max.timeout.ms must be at least 20000");
    }
}
