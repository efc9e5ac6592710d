package io.sluice.emulator;

import static io.sluice.emulator.Clients.ids;
import static io.sluice.emulator.Clients.item;
import static io.sluice.emulator.Clients.query;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The index of types must never show in an answer: it only spares work. */
class QueriesByTypeIT {
    @RegisterExtension
    static final RunningEmulator EMULATOR = RunningEmulator.inMemory();

    @Test
    void an_item_is_found_under_the_type_it_has_now_and_not_when_it_is_gone() {
        CosmosContainer container = EMULATOR.container();
        container.createItem(item("a", "1").put("type", "queue"));
        container.createItem(item("b", "2").put("type", "queue"));
        container.createItem(item("c", "3").put("type", "history"));
        container.createItem(item("d", "4").put("type", 5));
        container.createItem(item("e", "5"));

        container.replaceItem(
                item("a", "1").put("type", "history"), "1", new PartitionKey("a"), new CosmosItemRequestOptions());
        container.deleteItem("3", new PartitionKey("c"), new CosmosItemRequestOptions());

        assertThat(found(container, "c.type = 'queue'")).containsExactly("2");
        assertThat(found(container, "c.type = 'history' AND c.pk = 'a'")).containsExactly("1");
        assertThat(found(container, "c.type = 'history'")).containsExactly("1");
        assertThat(found(container, "c.type = 'queue' OR c.type = 5")).containsExactlyInAnyOrder("2", "4");
        assertThat(found(container, "NOT (c.type = 'queue')")).containsExactlyInAnyOrder("1", "4");
        assertThat(found(container, "c.type = 5")).containsExactly("4");
        assertThat(found(container, "NOT IS_DEFINED(c.type)")).containsExactly("5");
    }

    @Test
    void pages_of_one_type_go_on_where_the_last_one_ended() {
        CosmosContainer container = EMULATOR.container();
        for (int i = 0; i < 30; i++) {
            container.createItem(item("a", "item-" + i).put("type", i % 3 == 0 ? "queue" : "history"));
        }
        var pages = container
                .queryItems(
                        "SELECT c.id FROM c WHERE c.type = 'queue'", new CosmosQueryRequestOptions(), ObjectNode.class)
                .iterableByPage(4);

        assertThat(pages)
                .flatExtracting(page -> ids(page.getResults()))
                .hasSize(10)
                .doesNotHaveDuplicates();
    }

    private static List<String> found(CosmosContainer container, String filter) {
        return ids(query(container, "SELECT * FROM c WHERE " + filter));
    }
}
