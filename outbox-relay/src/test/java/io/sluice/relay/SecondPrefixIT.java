package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.program.cli.ExitCode;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two prefixes on one store: the relay of one would let history be deleted that the other has not read. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SecondPrefixIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static OutboxRelay relay(TestStore store, String prefix) {
        return OutboxRelay.builder()
                .config(RelayConfig.of(store.config(), kafka.bootstrapServers())
                        .withPrefix(prefix)
                        .withProvisioning(new RelayConfig.Provisioning(true, 2, 1)))
                .build();
    }

    private static Map<String, String> environment(TestStore store, String prefix) {
        var config = store.config();
        return Map.of(
                "COSMOS_ENDPOINT",
                config.endpoint(),
                "COSMOS_KEY",
                cosmos.key(),
                "COSMOS_DATABASE",
                config.database(),
                "COSMOS_CONTAINER",
                config.container(),
                "KAFKA_BOOTSTRAP_SERVERS",
                kafka.bootstrapServers(),
                "SLUICE_PREFIX",
                prefix);
    }

    private static Set<String> topics() throws Exception {
        try (var admin = new KafkaAccess(kafka.bootstrapServers(), Map.of()).admin()) {
            return admin.listTopics().names().get();
        }
    }

    @Test
    void a_second_prefix_is_refused_until_the_first_was_given_up() throws Exception {
        var first = kafka.prefix();
        var second = first + "-2";
        try (var store = TestStore.provisioned(cosmos);
                var refused = relay(store, second)) {
            try (var relay = relay(store, first)) {
                relay.start();

                assertThatThrownBy(refused::start)
                        .hasMessageContaining("published under the prefix " + first)
                        .hasMessageContaining("prefix release");
                assertThat(CommandRun.of(environment(store, second), "check").code())
                        .as("check finds it, too")
                        .isNotZero();
            }
            var provision = CommandRun.of(environment(store, second), "provision");

            assertThat(provision.code()).isEqualTo(ExitCode.START);
            assertThat(provision.err()).contains("published under the prefix " + first);
            assertThat(topics())
                    .as("no topic of a prefix that is refused")
                    .noneMatch(topic -> topic.startsWith(second));
            assertThatThrownBy(refused::start)
                    .as("one that is stopped has still to read what is there")
                    .hasMessageContaining("published under the prefix " + first);

            assertThat(CommandRun.of(environment(store, first), "prefix", "show")
                            .lines())
                    .containsExactly(first);
            assertThat(CommandRun.of(environment(store, first), "prefix", "release", "--yes"))
                    .returns(ExitCode.DONE, CommandRun::code)
                    .returns(List.of(first + " is released"), CommandRun::lines);
            assertThat(CommandRun.of(environment(store, first), "prefix", "show")
                            .lines())
                    .containsExactly("the store is not published");

            refused.start();
            assertThat(refused.status().running()).isTrue();
        }
    }

    @Test
    void a_store_whose_relay_was_given_up_with_its_kafka_can_be_released() {
        try (var store = TestStore.provisioned(cosmos)) {
            try (var relay = relay(store, kafka.prefix())) {
                relay.start();
            }
            var environment = new HashMap<>(environment(store, kafka.prefix()));
            environment.put("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:1");

            assertThat(CommandRun.of(environment, "prefix", "release", "--without-kafka")
                            .code())
                    .as("without --yes")
                    .isEqualTo(ExitCode.SETTINGS);
            assertThat(CommandRun.of(environment, "prefix", "release", "--yes"))
                    .returns(ExitCode.START, CommandRun::code)
                    .extracting(CommandRun::err)
                    .asString()
                    .contains("--without-kafka");
            assertThat(CommandRun.of(environment, "prefix", "release", "--yes", "--without-kafka"))
                    .returns(ExitCode.DONE, CommandRun::code)
                    .returns(List.of(kafka.prefix() + " is released"), CommandRun::lines);
        }
    }

    @Test
    void verbs_with_another_prefix_are_refused() {
        var first = kafka.prefix();
        var second = first + "-2";
        try (var store = TestStore.provisioned(cosmos);
                var relay = relay(store, first)) {
            relay.start();
            store.writeHistory("order-1", 1, 3);
            var environment = environment(store, second);

            for (var verb : List.of(
                    new String[] {"intents", "release", "--yes"},
                    new String[] {"prefix", "release", "--yes"},
                    new String[] {"run", "--dry-run"})) {
                assertThat(CommandRun.of(environment, verb))
                        .as("%s", List.of(verb))
                        .satisfies(run -> {
                            assertThat(run.code()).isEqualTo(ExitCode.START);
                            assertThat(run.err()).contains("published under the prefix " + first);
                        });
            }
            var replay = CommandRun.of(environment, "replay", "--instance=order-1", "--to=" + first + ".history");

            assertThat(replay.code()).isEqualTo(ExitCode.SETTINGS);
            assertThat(replay.err()).contains("replay to another topic than " + first + ".history");
        }
    }

    @Test
    void of_two_prefixes_that_start_together_one_starts() throws Exception {
        var pool = Executors.newFixedThreadPool(2);
        try (var store = TestStore.provisioned(cosmos);
                var one = relay(store, kafka.prefix() + "-a");
                var other = relay(store, kafka.prefix() + "-b")) {
            var starts = pool.invokeAll(List.<Callable<Boolean>>of(() -> starts(one), () -> starts(other)));

            assertThat(List.of(starts.get(0).get(), starts.get(1).get())).containsExactlyInAnyOrder(true, false);
        } finally {
            pool.shutdownNow();
        }
    }

    private static boolean starts(OutboxRelay relay) {
        try {
            relay.start();
            return true;
        } catch (RelayStartException e) {
            assertThat(e).hasMessageContaining("published under the prefix");
            return false;
        }
    }
}
