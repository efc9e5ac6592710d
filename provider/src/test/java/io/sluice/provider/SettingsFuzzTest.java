package io.sluice.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.testkit.fuzz.Fuzz;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Texts that come from environments, headers and other processes. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SettingsFuzzTest {
    @Test
    void a_damaged_environment_opens_nothing_or_says_what_is_wrong() {
        var example = """
                COSMOS_ENDPOINT=https://account.documents.azure.com:443/
                COSMOS_KEY=a2V5
                COSMOS_AUTH=key
                COSMOS_DATABASE=d
                COSMOS_CONTAINER=c
                COSMOS_MODE=gateway
                COSMOS_REGIONS=West Europe, North Europe
                COSMOS_APPLICATION=orders
                COSMOS_THROUGHPUT=autoscale:4000
                """;

        Fuzz.of("settings of the store", List.of(example))
                .refusedBy(IllegalArgumentException.class)
                .read(text -> assertThat(CosmosStoreConfig.fromEnvironment(variables(text)))
                        .isNotNull());
    }

    private static Map<String, String> variables(String text) {
        Map<String, String> variables = new HashMap<>();
        text.lines().forEach(line -> {
            int equals = line.indexOf('=');
            if (equals > 0) {
                variables.put(line.substring(0, equals), line.substring(equals + 1));
            }
        });
        return variables;
    }

    @Test
    void a_damaged_version_is_refused_or_read_consistently() {
        Fuzz.of("versions", List.of("1.0.0", "0.1.32", "10.20.30-rc.1+build.5"))
                .refusedBy(IllegalArgumentException.class)
                .rewritten(text -> SemanticVersion.parse(text).toString());
    }

    @Test
    void a_damaged_trace_is_none() {
        Fuzz.of("traces", List.of("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
                .read(text -> TraceContext.parse(text, text));
    }
}
