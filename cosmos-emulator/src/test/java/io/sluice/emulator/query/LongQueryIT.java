package io.sluice.emulator.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.JavaClients;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A query may have 512 KB, text and parameters together. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
final class LongQueryIT {
    @Test
    void a_query_over_512_kilobytes_is_refused_as_a_bad_request() {
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory());
                var client = JavaClients.builder(emulator).buildClient()) {
            client.createDatabase("d");
            client.getDatabase("d").createContainer("c", "/pk");
            var container = client.getDatabase("d").getContainer("c");
            var options = new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey("a"));

            assertThat(container.queryItems(named(500 * 1024), options, ObjectNode.class))
                    .isEmpty();
            assertThatThrownBy(() -> container.queryItems(named(513 * 1024), options, ObjectNode.class).stream()
                            .count())
                    .isInstanceOfSatisfying(
                            CosmosException.class,
                            refused -> assertThat(refused.getStatusCode()).isEqualTo(400))
                    .hasMessageContaining("exceeded the maximum limit");
        }
    }

    private static SqlQuerySpec named(int bytes) {
        return new SqlQuerySpec("SELECT * FROM c WHERE c.name = @name", new SqlParameter("@name", "n".repeat(bytes)));
    }
}
