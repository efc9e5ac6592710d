package io.sluice.emulator;

import static io.sluice.emulator.Clients.assertRefused;
import static io.sluice.emulator.Clients.ids;
import static io.sluice.emulator.Clients.item;
import static io.sluice.emulator.Clients.query;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosItemIdentity;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ItemsIT {
    private static final PartitionKey A = new PartitionKey("a");

    @RegisterExtension
    static final RunningEmulator EMULATOR = RunningEmulator.inMemory();

    private CosmosContainer container;

    @BeforeEach
    void makeContainer() {
        container = EMULATOR.container();
    }

    @Nested
    class Create {
        @Test
        void returns_the_item_with_its_system_properties() {
            var created = container.createItem(item("a", "1").put("text", "größe 注文 😀"));

            assertThat(created.getStatusCode()).isEqualTo(201);
            assertThat(created.getRequestCharge()).isEqualTo(4.95);
            assertThat(created.getItem().path("text").asText()).isEqualTo("größe 注文 😀");
            assertThat(created.getItem().path("_etag").asText()).isEqualTo(created.getETag());
            assertThat(created.getItem().path("_ts").asLong()).isPositive();
            assertThat(created.getItem().path("_rid").asText()).hasSize(24);
            assertThat(created.getItem().path("_self").asText())
                    .endsWith("docs/" + created.getItem().path("_rid").asText() + "/");
            assertThat(created.getItem().path("_attachments").asText()).isEqualTo("attachments/");
            assertThat(created.getItem().has("_lsn")).isFalse();
        }

        @Test
        void keeps_the_body_back_when_the_client_does_not_want_it() {
            var options = new CosmosItemRequestOptions().setContentResponseOnWriteEnabled(false);

            var created = container.createItem(item("a", "1"), A, options);

            assertThat(created.getStatusCode()).isEqualTo(201);
            assertThat(created.getItem()).isNull();
            assertThat(created.getETag()).isNotEmpty();
        }

        @Test
        void refuses_an_id_that_is_taken_in_its_partition_only() {
            container.createItem(item("a", "1"));

            assertRefused(() -> container.createItem(item("a", "1")), 409);
            assertThat(container.createItem(item("b", "1")).getStatusCode()).isEqualTo(201);
        }

        @Test
        void refuses_a_document_of_another_partition() {
            assertRefused(() -> container.createItem(item("a", "1"), new PartitionKey("b"), null), 400)
                    .returns(1001, CosmosException::getSubStatusCode);
        }

        @ParameterizedTest
        @ValueSource(strings = {"a/b", "a\\b", "a?b", "a#b", "a ", "a\nb", "a%20b"})
        void takes_an_id_that_fits_into_no_path(String id) {
            assertThat(container.createItem(item("a", id)).getStatusCode()).isEqualTo(201);
            assertRefused(() -> container.createItem(item("a", id)), 409);
            assertThat(ids(query(container, "SELECT * FROM c"))).containsExactly(id);
        }

        @Test
        void holds_ids_of_1023_bytes_and_no_more() {
            assertThat(container.createItem(item("a", "ü".repeat(511) + "x")).getStatusCode())
                    .isEqualTo(201);
            assertRefused(() -> container.createItem(item("a", "ü".repeat(512))), 400);
        }

        @Test
        void refuses_an_item_over_two_megabytes() {
            var large = item("a", "1").put("text", "x".repeat(2 * 1024 * 1024));

            assertRefused(() -> container.createItem(large), 413);
        }

        @Test
        void holds_an_item_just_below_two_megabytes() {
            var large = item("a", "1").put("text", "x".repeat(2 * 1024 * 1024 - 1000));

            assertThat(container.createItem(large).getStatusCode()).isEqualTo(201);
        }

        @Test
        void a_document_without_the_key_property_has_the_key_none() {
            container.createItem(JsonNodeFactory.instance.objectNode().put("id", "1"));

            assertThat(container
                            .readItem("1", PartitionKey.NONE, ObjectNode.class)
                            .getStatusCode())
                    .isEqualTo(200);
        }
    }

    @Nested
    class Read {
        @Test
        void finds_ids_with_letters_that_paths_must_escape() {
            for (var id : List.of("a b", "100%", "x+y", "ü:1", "{q}", "order:1&2=3;4,5@6'7\"8")) {
                container.createItem(item("a", id));

                assertThat(container
                                .readItem(id, A, ObjectNode.class)
                                .getItem()
                                .path("id")
                                .asText())
                        .isEqualTo(id);
            }
        }

        @Test
        void tells_partitions_apart() {
            container.createItem(item("a", "1"));

            assertRefused(() -> container.readItem("1", new PartitionKey("b"), ObjectNode.class), 404)
                    .returns(0, CosmosException::getSubStatusCode);
        }

        @Test
        void costs_request_units_by_its_size() {
            container.createItem(item("a", "1").put("text", "x".repeat(5000)));

            assertThat(container.readItem("1", A, ObjectNode.class).getRequestCharge())
                    .isBetween(1.14, 1.33);
        }

        @Test
        void many_at_once_are_found_over_all_partitions() {
            var wanted = new ArrayList<CosmosItemIdentity>();
            for (int i = 0; i < 40; i++) {
                container.createItem(item("p" + i, "1"));
                wanted.add(new CosmosItemIdentity(new PartitionKey("p" + i), "1"));
            }
            container.createItem(item("p0", "2"));
            wanted.add(new CosmosItemIdentity(new PartitionKey("p0"), "2"));
            wanted.add(new CosmosItemIdentity(new PartitionKey("nowhere"), "1"));

            assertThat(container.readMany(wanted, ObjectNode.class).getResults())
                    .hasSize(41);
        }

        @Test
        void all_of_a_partition_are_listed() {
            container.createItem(item("a", "1"));
            container.createItem(item("a", "2"));
            container.createItem(item("b", "3"));

            assertThat(container.readAllItems(A, ObjectNode.class).stream().toList())
                    .hasSize(2);
        }
    }

    @Nested
    class Replace {
        @Test
        void stores_a_version_with_another_etag() {
            var first = container.createItem(item("a", "1"));

            var second = container.replaceItem(item("a", "1").put("n", 2), "1", A, null);

            assertThat(second.getStatusCode()).isEqualTo(200);
            assertThat(second.getETag()).isNotEqualTo(first.getETag());
            assertThat(second.getItem().path("_rid")).isEqualTo(first.getItem().path("_rid"));
        }

        @Test
        void is_refused_when_the_etag_is_another() {
            var first = container.createItem(item("a", "1"));
            container.replaceItem(item("a", "1").put("n", 2), "1", A, null);
            var stale = new CosmosItemRequestOptions().setIfMatchETag(first.getETag());

            assertRefused(() -> container.replaceItem(item("a", "1").put("n", 3), "1", A, stale), 412);
            assertThat(container
                            .readItem("1", A, ObjectNode.class)
                            .getItem()
                            .path("n")
                            .asInt())
                    .isEqualTo(2);
        }

        @Test
        void is_refused_when_there_is_nothing() {
            assertRefused(() -> container.replaceItem(item("a", "1"), "1", A, null), 404);
        }

        @Test
        void by_a_document_with_another_id_renames() {
            container.createItem(item("a", "taken"));
            container.createItem(item("a", "1"));
            var before = container.readItem("1", A, ObjectNode.class);

            var renamed = container.replaceItem(item("a", "2").put("n", 2), "1", A, null);

            assertRefused(() -> container.readItem("1", A, ObjectNode.class), 404);
            var read = container.readItem("2", A, ObjectNode.class).getItem();
            assertThat(read.path("n").asInt()).isEqualTo(2);
            assertThat(read.path("_rid")).isEqualTo(before.getItem().path("_rid"));
            assertThat(renamed.getETag()).isNotEqualTo(before.getETag());
            assertThat(ids(query(container, "SELECT * FROM c"))).containsExactlyInAnyOrder("taken", "2");
            assertRefused(() -> container.replaceItem(item("a", "taken"), "2", A, null), 409);
            container.createItem(item("a", "1"));
            container.deleteItem("2", A, null);
            assertThat(ids(query(container, "SELECT * FROM c"))).containsExactlyInAnyOrder("taken", "1");
        }

        @Test
        void of_all_items_of_a_partition_key_is_a_deletion() {
            container.createItem(item("a", "1"));
            container.createItem(item("a", "2"));
            container.createItem(item("b", "1"));

            var deleted = container.deleteAllItemsByPartitionKey(A, null);

            assertThat(deleted.getStatusCode()).isEqualTo(200);
            assertThat(deleted.getRequestCharge()).isPositive();
            assertThat(ids(query(container, "SELECT * FROM c WHERE c.pk IN ('a', 'b')")))
                    .containsExactly("1");
            assertThat(container
                            .deleteAllItemsByPartitionKey(new PartitionKey("nobody"), null)
                            .getStatusCode())
                    .isEqualTo(200);
        }
    }

    @Nested
    class Upsert {
        @Test
        void creates_then_replaces() {
            assertThat(container.upsertItem(item("a", "1")).getStatusCode()).isEqualTo(201);
            assertThat(container.upsertItem(item("a", "1")).getStatusCode()).isEqualTo(200);
        }

        @Test
        void is_refused_when_the_etag_is_another() {
            container.upsertItem(item("a", "1"));
            var stale = new CosmosItemRequestOptions().setIfMatchETag("\"other\"");

            assertRefused(() -> container.upsertItem(item("a", "1"), A, stale), 412);
        }

        @Test
        void is_refused_when_it_must_not_exist() {
            container.upsertItem(item("a", "1"));
            var mustBeNew = new CosmosItemRequestOptions().setIfNoneMatchETag("*");

            assertRefused(() -> container.upsertItem(item("a", "1"), A, mustBeNew), 412);
        }
    }

    @Nested
    class Delete {
        @Test
        void removes_the_item() {
            container.createItem(item("a", "1"));

            assertThat(container.deleteItem("1", A, null).getStatusCode()).isEqualTo(204);
            assertRefused(() -> container.readItem("1", A, ObjectNode.class), 404);
            assertRefused(() -> container.deleteItem("1", A, null), 404);
        }

        @Test
        void is_refused_when_the_etag_is_another() {
            container.createItem(item("a", "1"));
            var stale = new CosmosItemRequestOptions().setIfMatchETag("\"other\"");

            assertRefused(() -> container.deleteItem("1", A, stale), 412);
        }

        @Test
        void an_id_that_comes_back_is_another_item() {
            var first = container.createItem(item("a", "1"));
            container.deleteItem("1", A, null);

            var second = container.createItem(item("a", "1"));

            assertThat(second.getItem().path("_rid"))
                    .isNotEqualTo(first.getItem().path("_rid"));
            assertThat(second.getETag()).isNotEqualTo(first.getETag());
        }
    }

    @Nested
    class Patch {
        @Test
        void does_all_its_operations_in_order() {
            var document = item("a", "1").put("n", 1).put("gone", true).put("from", "moved");
            document.putArray("list").add(1).add(3);
            container.createItem(document);
            var operations = CosmosPatchOperations.create()
                    .add("/list/1", 2)
                    .add("/list/-", 4)
                    .set("/list/0", 0)
                    .increment("/n", 41)
                    .increment("/fresh", 1.5)
                    .replace("/gone", false)
                    .remove("/gone")
                    .move("/from", "/to");

            var patched = container.patchItem("1", A, operations, ObjectNode.class);

            assertThat(patched.getStatusCode()).isEqualTo(200);
            var item = patched.getItem();
            assertThat(item.path("list").toString()).isEqualTo("[0,2,3,4]");
            assertThat(item.path("n").toString()).isEqualTo("42");
            assertThat(item.path("fresh").doubleValue()).isEqualTo(1.5);
            assertThat(item.has("gone")).isFalse();
            assertThat(item.has("from")).isFalse();
            assertThat(item.path("to").asText()).isEqualTo("moved");
        }

        @Test
        void leaves_the_item_alone_when_one_operation_fails() {
            container.createItem(item("a", "1"));
            var operations = CosmosPatchOperations.create().set("/n", 1).replace("/missing", 1);

            assertRefused(() -> container.patchItem("1", A, operations, ObjectNode.class), 400);
            assertThat(container.readItem("1", A, ObjectNode.class).getItem().has("n"))
                    .isFalse();
        }

        @Test
        void is_refused_when_its_condition_does_not_hold() {
            container.createItem(item("a", "1").put("state", "open"));
            var operations = CosmosPatchOperations.create().set("/state", "closed");
            var ifOpen = new CosmosPatchItemRequestOptions().setFilterPredicate("from c where c.state = 'open'");

            container.patchItem("1", A, operations, ifOpen, ObjectNode.class);

            assertRefused(() -> container.patchItem("1", A, operations, ifOpen, ObjectNode.class), 412);
        }

        @Test
        void is_refused_when_the_etag_is_another() {
            container.createItem(item("a", "1"));
            var stale = new CosmosPatchItemRequestOptions();
            stale.setIfMatchETag("\"other\"");

            assertRefused(
                    () -> container.patchItem(
                            "1", A, CosmosPatchOperations.create().set("/n", 1), stale, ObjectNode.class),
                    412);
        }

        @ParameterizedTest
        @ValueSource(strings = {"/id", "/_ts", "/_etag"})
        void can_not_change_what_the_system_keeps(String path) {
            container.createItem(item("a", "1"));

            assertRefused(
                    () -> container.patchItem(
                            "1", A, CosmosPatchOperations.create().set(path, "x"), ObjectNode.class),
                    400);
        }

        @Test
        void can_not_change_the_partition_key_or_have_more_than_ten_operations() {
            container.createItem(item("a", "1"));
            var eleven = CosmosPatchOperations.create();
            for (int i = 0; i < 11; i++) {
                eleven.set("/p" + i, i);
            }

            assertRefused(
                    () -> container.patchItem(
                            "1", A, CosmosPatchOperations.create().set("/pk", "b"), ObjectNode.class),
                    400);
            assertRefused(() -> container.patchItem("1", A, eleven, ObjectNode.class), 400);
        }
    }
}
