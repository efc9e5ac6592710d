package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.program.cli.ExitCode;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.seed.Tier;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a person reads, as the whole output of the program, when a setting is wrong that only the store can judge. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StartFaultsIT {
    private static final String WRONG_KEY = "d3Jvbmcga2V5IHdyb25nIGtleSB3cm9uZyBrZXkgd3JvbmcgIQ==";

    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    /** Each is a process of its own; all begin in the same way. */
    private static List<String> verbs() {
        return List.of("run", "check", "provision").subList(0, Tier.times(1, 3));
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void a_wrong_key_is_one_sentence(String verb) throws Exception {
        try (var store = TestStore.provisioned(cosmos)) {
            var environment = CommandRun.environment(store, kafka);
            environment.put("COSMOS_KEY", WRONG_KEY);

            assertOneSentence(environment, verb, "COSMOS_KEY");
        }
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void tls_on_a_plain_port_is_one_sentence(String verb) throws Exception {
        try (var store = TestStore.provisioned(cosmos)) {
            var environment = CommandRun.environment(store, kafka);
            environment.put("COSMOS_ENDPOINT", store.config().endpoint().replace("http:", "https:"));

            assertOneSentence(environment, verb, "COSMOS_ENDPOINT");
        }
    }

    private static void assertOneSentence(Map<String, String> environment, String verb, String setting)
            throws Exception {
        try (var program = RelayProcess.start(environment, verb)) {
            assertThat(program.awaitEnd()).isEqualTo(ExitCode.START);

            assertThat(program.lines())
                    .as("of %s", verb)
                    .filteredOn(line -> !line.contains("INFO"))
                    .singleElement()
                    .asString()
                    .startsWith("The relay can't start: ")
                    .contains(setting)
                    .doesNotContain(WRONG_KEY);
        }
    }
}
