package io.sluice.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ConnectorCheckTest {

    @Test
    void a_plain_source_and_a_plain_sink_have_no_faults() {
        assertThat(ConnectorCheck.faultsOf(aSource())).isEmpty();
        assertThat(ConnectorCheck.faultsOf(aSink())).isEmpty();
    }

    @ParameterizedTest(name = "{0} = {1} → {2}")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "azure.cosmos.account.endpoint                    | ftp://x              | must be an http(s) URL",
                "azure.cosmos.account.endpoint                    | -                    | is required",
                "azure.cosmos.account.key                         | -                    | is required",
                "azure.cosmos.account.key                         | C2y6yDjf5secret      | not the secret itself",
                "azure.cosmos.auth.type                           | Password             | must be one of",
                "azure.cosmos.auth.type                           | ServicePrincipal     | is required",
                "azure.cosmos.mode.gateway                        | yes                  | must be one of [true, false]",
                "azure.cosmos.source.database.name                | -                    | is required",
                "azure.cosmos.source.containers.includedList      | -                    | must name a container",
                "azure.cosmos.source.containers.topicMap          | justATopic           | topic#container",
                "azure.cosmos.source.changeFeed.mode              | Newest               | must be one of",
                "azure.cosmos.source.changeFeed.startFrom         | 2020-02-10T14:15:03  | must be Beginning, Now or an instant",
                "azure.cosmos.source.changeFeed.maxItemCountHint  | 0                    | must be at least 1",
                "azure.cosmos.source.metadata.poll.delay.ms       | soon                 | must be a whole number",
                "azure.cosmos.source.metadata.storage.type        | Disk                 | must be one of",
                "azure.cosmos.throughputControl.enabled           | true                 | is required",
                "azure.cosmos.throughputControl.throughputBucket  | 3                    | is not a key of the source connector",
                "azure.cosmos.sink.write.strategy                 | ItemAppend           | is not a key of the source connector",
                "exactly.once.support                             | required             | must be 'requested'",
                "connector.class                                  | org.other.Connector  | must be one of",
            })
    void a_wrong_value_of_a_source_is_named(String key, String value, String complaint) {
        assertThat(ConnectorCheck.faultsOf(with(aSource(), key, value)))
                .as("faults of %s=%s", key, value)
                .anySatisfy(fault -> assertThat(fault.toString()).contains(complaint));
    }

    @ParameterizedTest(name = "{0} = {1} → {2}")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "azure.cosmos.sink.containers.topicMap    | -                 | is required",
                "azure.cosmos.sink.write.strategy         | Overwrite         | must be one of",
                "azure.cosmos.sink.id.strategy            | TemplateStrategy  | is required",
                "azure.cosmos.sink.id.strategy.template   | x                 | is only read with",
                "azure.cosmos.sink.maxRetryCount          | -1                | must be at least 0",
                "azure.cosmos.sink.errors.tolerance.level | all               | must be one of [None, All]",
                "azure.cosmos.sink.bulk.initialBatchSize  | 0                 | must be at least 1",
            })
    void a_wrong_value_of_a_sink_is_named(String key, String value, String complaint) {
        assertThat(ConnectorCheck.faultsOf(with(aSink(), key, value)))
                .as("faults of %s=%s", key, value)
                .anySatisfy(fault -> assertThat(fault.toString()).contains(complaint));
    }

    @Test
    void a_secret_is_never_repeated_in_a_fault() {
        var faults = ConnectorCheck.faultsOf(with(aSource(), "azure.cosmos.account.key", "C2y6yDjf5secret"));

        assertThat(faults).hasSize(1);
        assertThat(faults.toString()).doesNotContain("C2y6yDjf5secret");
    }

    private static Map<String, String> with(Map<String, String> config, String key, String value) {
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
                "azure.cosmos.sink.database.name", "duroxide",
                "azure.cosmos.sink.containers.topicMap", "sluice.history#sluice-audit");
    }
}
