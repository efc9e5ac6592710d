package io.sluice.emulator;

import static io.sluice.emulator.Clients.assertRefused;
import static io.sluice.emulator.Clients.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.AzureKeyCredential;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosStoredProcedureProperties;
import com.azure.cosmos.models.ExcludedPath;
import com.azure.cosmos.models.IncludedPath;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyBuilder;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AccountIT {
    private static final String OTHER_KEY = "b3RoZXIga2V5";

    @RegisterExtension
    static final RunningEmulator EMULATOR = RunningEmulator.inMemory();

    @Nested
    class Keys {
        @Test
        void a_wrong_key_is_refused_with_401() {
            assertThatThrownBy(() ->
                            Clients.builder(EMULATOR.emulator()).key(OTHER_KEY).buildClient())
                    .hasMessageContaining("StatusCode: Unauthorized")
                    .hasMessageContaining("The input authorization token can't serve the request");
        }

        @Test
        void a_key_that_is_wrong_later_is_refused_too() {
            var credential = new AzureKeyCredential(EMULATOR.emulator().key());
            try (var client =
                    Clients.builder(EMULATOR.emulator()).credential(credential).buildClient()) {
                credential.update(OTHER_KEY);

                assertRefused(() -> client.getDatabase("tests").read(), 401);
            }
        }

        @Test
        void an_emulator_can_have_a_key_of_its_own() {
            try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withKey(OTHER_KEY));
                    var client = Clients.builder(emulator).buildClient()) {
                assertThat(client.createDatabase("db").getStatusCode()).isEqualTo(201);
            }
        }
    }

    @Nested
    class Regions {
        @Test
        void an_account_can_claim_to_write_in_several() {
            try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withMultipleWriteRegions(true));
                    var client = Clients.builder(emulator).buildClient()) {
                client.createDatabase("db");
                var container = Clients.container(client.getDatabase("db"), new CosmosContainerProperties("c", "/pk"));

                assertThat(container.createItem(item("a", "1")).getStatusCode()).isEqualTo(201);
            }
        }
    }

    @Nested
    class Databases {
        @Test
        void are_made_listed_read_and_removed() {
            var client = EMULATOR.client();
            assertThat(client.createDatabase("one").getStatusCode()).isEqualTo(201);
            assertRefused(() -> client.createDatabase("one"), 409);
            assertThat(client.createDatabaseIfNotExists("one").getStatusCode()).isEqualTo(200);
            assertThat(client.readAllDatabases())
                    .extracting(database -> database.getId())
                    .contains("one");
            assertThat(client.queryDatabases("SELECT * FROM c WHERE c.id = 'one'", null))
                    .hasSize(1);

            client.getDatabase("one").delete();

            assertRefused(() -> client.getDatabase("one").read(), 404);
        }
    }

    @Nested
    class Containers {
        @Test
        void keep_their_indexing_policy_and_time_to_live() {
            var policy = new IndexingPolicy()
                    .setIncludedPaths(List.of(new IncludedPath("/type/?")))
                    .setExcludedPaths(List.of(new ExcludedPath("/*")));

            var container = EMULATOR.container(
                    properties -> properties.setIndexingPolicy(policy).setDefaultTimeToLiveInSeconds(-1));

            var read = container.read().getProperties();
            assertThat(read.getIndexingPolicy().getIncludedPaths())
                    .extracting(IncludedPath::getPath)
                    .containsExactly("/type/?");
            assertThat(read.getDefaultTimeToLiveInSeconds()).isEqualTo(-1);
            assertThat(read.getPartitionKeyDefinition().getVersion()).isEqualTo(PartitionKeyDefinitionVersion.V2);
            assertThat(read.getPartitionKeyDefinition().getPaths()).containsExactly("/pk");
        }

        @Test
        void are_replaced_except_for_name_and_key() {
            var container = EMULATOR.container();
            var properties = container.read().getProperties();
            properties.setDefaultTimeToLiveInSeconds(60);

            container.replace(properties);

            assertThat(container.read().getProperties().getDefaultTimeToLiveInSeconds())
                    .isEqualTo(60);
            properties.setPartitionKeyDefinition(new PartitionKeyDefinition().setPaths(List.of("/other")));
            assertRefused(() -> container.replace(properties), 400);
        }

        @Test
        void one_that_is_made_anew_is_empty_and_clients_find_it() {
            var container = EMULATOR.container();
            container.createItem(item("a", "1"));
            var properties = container.read().getProperties();
            container.delete();
            assertRefused(() -> container.readItem("1", new PartitionKey("a"), ObjectNode.class), 404);

            EMULATOR.database().createContainer(new CosmosContainerProperties(properties.getId(), "/pk"));

            assertRefused(() -> container.readItem("1", new PartitionKey("a"), ObjectNode.class), 404);
            assertThat(container.createItem(item("a", "1")).getStatusCode()).isEqualTo(201);
        }

        @Test
        void are_listed_and_queried() {
            var container = EMULATOR.container();

            assertThat(EMULATOR.database().readAllContainers())
                    .extracting(CosmosContainerProperties::getId)
                    .contains(container.getId());
            assertThat(EMULATOR.database().queryContainers("SELECT * FROM c WHERE c.id = '" + container.getId() + "'"))
                    .hasSize(1);
        }

        @Test
        void have_the_throughput_that_was_bought() {
            var manual = new CosmosContainerProperties("manual", "/pk");
            EMULATOR.database().createContainer(manual, ThroughputProperties.createManualThroughput(1000));
            var container = EMULATOR.database().getContainer("manual");
            assertThat(container.readThroughput().getProperties().getManualThroughput())
                    .isEqualTo(1000);

            container.replaceThroughput(ThroughputProperties.createManualThroughput(2000));

            assertThat(container.readThroughput().getProperties().getManualThroughput())
                    .isEqualTo(2000);
        }

        @Test
        void may_scale_by_themselves() {
            EMULATOR.database()
                    .createContainer(
                            new CosmosContainerProperties("auto", "/pk"),
                            ThroughputProperties.createAutoscaledThroughput(4000));

            assertThat(EMULATOR.database()
                            .getContainer("auto")
                            .readThroughput()
                            .getProperties()
                            .getAutoscaleMaxThroughput())
                    .isEqualTo(4000);
        }

        @Test
        void may_have_a_hierarchical_key() {
            var definition = new PartitionKeyDefinition()
                    .setPaths(List.of("/tenant", "/user"))
                    .setKind(PartitionKind.MULTI_HASH)
                    .setVersion(PartitionKeyDefinitionVersion.V2);
            var container = Clients.container(EMULATOR.database(), new CosmosContainerProperties("deep", definition));
            container.createItem(JsonNodeFactory.instance
                    .objectNode()
                    .put("id", "1")
                    .put("tenant", "t")
                    .put("user", "u"));

            var key = new PartitionKeyBuilder().add("t").add("u").build();

            assertThat(container.readItem("1", key, ObjectNode.class).getStatusCode())
                    .isEqualTo(200);
        }

        @Test
        void one_that_is_missing_is_404() {
            var missing = EMULATOR.database().getContainer("missing");

            assertRefused(missing::read, 404);
            assertRefused(() -> missing.createItem(item("a", "1")), 404);
        }

        @Test
        void scripts_are_refused() {
            var container = EMULATOR.container();
            var procedure = new CosmosStoredProcedureProperties("p", "function() {}");

            assertRefused(() -> container.getScripts().createStoredProcedure(procedure), 400)
                    .extracting(CosmosException::getMessage)
                    .asString()
                    .contains("not supported by this emulator");
        }
    }
}
