package io.sluice.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ConnectorCheckTest {

    @Test
    void a_plain_source_and_a_plain_sink_have_no_faults() {
        assertThat(ConnectorCheck.faultsOf(aSource())).isEmpty();
        assertThat(ConnectorCheck.faultsOf(aSink())).isEmpty();
    }

    @Test
    void a_class_of_another_connector_is_refused_at_once() {
        assertThat(ConnectorCheck.faultsOf(with(aSource(), "connector.class", "org.other.Connector")))
                .singleElement()
                .hasToString("connector.class: must be one of [com.azure.cosmos.kafka.connect.CosmosSourceConnector,"
                        + " com.azure.cosmos.kafka.connect.CosmosSinkConnector], was 'org.other.Connector'");
    }

    @Test
    void all_faults_are_told_not_the_first() {
        var config = with(with(aSource(), "azure.cosmos.mode.gateway", "yes"), "azure.cosmos.account.key", null);

        assertThat(ConnectorCheck.faultsOf(config))
                .extracting(Fault::key)
                .containsExactly("azure.cosmos.account.key", "azure.cosmos.mode.gateway");
    }

    @Test
    void a_source_that_demands_exactly_once_is_told_that_the_connector_refuses() {
        assertThat(ConnectorCheck.faultsOf(with(aSource(), "exactly.once.support", "required")))
                .singleElement()
                .satisfies(fault -> assertThat(fault.complaint()).startsWith("must be 'requested'"));
    }

    @Test
    void a_value_from_a_config_provider_is_not_looked_into() {
        var config = with(aSource(), "azure.cosmos.source.containers.includedList", "${env:COSMOS_CONTAINER}");

        assertThat(ConnectorCheck.faultsOf(
                        with(config, "azure.cosmos.source.containers.topicMap", "x#${env:COSMOS_CONTAINER}")))
                .isEmpty();
    }

    @Test
    void a_sink_without_topics_is_told() {
        assertThat(ConnectorCheck.faultsOf(with(aSink(), "topics", null)))
                .singleElement()
                .hasToString("topics: is required, or topics.regex");
    }

    @Test
    void a_secret_is_never_repeated_in_a_fault() {
        var faults = ConnectorCheck.faultsOf(with(aSource(), "azure.cosmos.account.key", "C2y6yDjf5secret"));

        assertThat(faults).hasSize(1);
        assertThat(faults.toString()).doesNotContain("C2y6yDjf5secret");
    }

    private static Map<String, String> with(Map<String, String> config, String key, @Nullable String value) {
        var changed = new HashMap<>(config);
        if (value == null) {
            changed.remove(key);
        } else {
            changed.put(key, value);
        }
        return changed;
    }

    private static Map<String, String> aSource() {
        return Map.of(
                "connector.class", "com.azure.cosmos.kafka.connect.CosmosSourceConnector",
                "azure.cosmos.account.endpoint", "https://sluice.documents.azure.com:443/",
                "azure.cosmos.account.key", "${env:COSMOS_KEY}",
                "azure.cosmos.source.database.name", "duroxide",
                "azure.cosmos.source.containers.includedList", "duroxide");
    }

    private static Map<String, String> aSink() {
        return Map.of(
                "connector.class", "com.azure.cosmos.kafka.connect.CosmosSinkConnector",
                "azure.cosmos.account.endpoint", "https://sluice.documents.azure.com:443/",
                "azure.cosmos.account.key", "${env:COSMOS_KEY}",
                "topics", "sluice.history",
                "azure.cosmos.sink.database.name", "duroxide",
                "azure.cosmos.sink.containers.topicMap", "sluice.history#sluice-audit");
    }
}
