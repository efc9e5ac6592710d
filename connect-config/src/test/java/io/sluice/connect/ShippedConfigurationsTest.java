package io.sluice.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The files as they lie here. What Connect makes of them is in {@link ConnectWorkerIT}, what the connector says of its
 * keys in {@link CosmosConnectorIT}; that topics and containers are those of the relay is tested there.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ShippedConfigurationsTest {
    private static final String SHIPPED = "io.sluice.connect.Shipped#all";
    private static final Path WORKER = Path.of("worker", "connect-distributed.properties");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{env:([A-Z_]+)}");

    @ParameterizedTest
    @MethodSource(SHIPPED)
    void a_file_names_its_connector_and_the_class_of_its_folder(Path file) {
        var config = Shipped.config(file);

        assertThat(config.getOrDefault("name", "")).matches("sluice-[a-z-]+");
        assertThat(config)
                .containsEntry(
                        "connector.class",
                        file.toString().contains("source/")
                                ? "com.azure.cosmos.kafka.connect.CosmosSourceConnector"
                                : "com.azure.cosmos.kafka.connect.CosmosSinkConnector");
    }

    @Test
    void no_two_connectors_share_a_name() {
        assertThat(Shipped.byKey())
                .extracting(file -> Shipped.config(file).get("name"))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource(SHIPPED)
    void a_secret_is_a_variable_that_the_worker_lets_through(Path file) throws IOException {
        var worker = new Properties();
        try (var reader = Files.newBufferedReader(WORKER)) {
            worker.load(reader);
        }
        var allowed = worker.getProperty("config.providers.env.param.allowlist.pattern");

        Shipped.config(file).forEach((key, value) -> {
            if (key.matches(".*(account\\.key|[sS]ecret|[pP]assword)")) {
                assertThat(value).as(key).matches(VARIABLE);
            }
            assertThat(VARIABLE.matcher(value).results())
                    .allSatisfy(variable -> assertThat(variable.group(1)).matches(allowed));
        });
    }

    @Test
    void each_has_a_variant_for_a_service_principal_that_differs_in_how_it_signs_in_alone() {
        assertThat(Shipped.all().filter(file -> file.startsWith(Shipped.SERVICE_PRINCIPAL)))
                .map(Shipped.SERVICE_PRINCIPAL::relativize)
                .isEqualTo(Shipped.byKey());

        assertThat(Shipped.byKey()).allSatisfy(file -> {
            var byPrincipal = Shipped.config(Shipped.SERVICE_PRINCIPAL.resolve(file));
            assertThat(byPrincipal).containsEntry("azure.cosmos.auth.type", "ServicePrincipal");
            assertThat(withoutSigningIn(byPrincipal)).isEqualTo(withoutSigningIn(Shipped.config(file)));
        });
    }

    private static Map<String, String> withoutSigningIn(Map<String, String> config) {
        config.keySet().removeIf(key -> key.matches("azure\\.cosmos\\.(auth\\..*|account\\.key|account\\.tenantId)"));
        return config;
    }
}
