package io.sluice.emulator;

import static io.sluice.emulator.Clients.assertRefused;
import static io.sluice.emulator.Clients.ids;
import static io.sluice.emulator.Clients.item;
import static io.sluice.emulator.Clients.query;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** There are no triggers: a write that names one does not apply without it. */
class TriggersIT {
    private static final PartitionKey A = new PartitionKey("a");

    @RegisterExtension
    static final RunningEmulator EMULATOR = RunningEmulator.inMemory();

    @Test
    void a_write_that_names_a_trigger_is_refused_and_does_not_apply() {
        var container = EMULATOR.container();
        container.createItem(item("a", "there"));
        var before = new CosmosItemRequestOptions().setPreTriggerInclude(List.of("none"));
        var after = new CosmosItemRequestOptions().setPostTriggerInclude(List.of("none"));

        for (var options : List.of(before, after)) {
            assertNoTrigger(() -> container.createItem(item("a", "new"), A, options));
            assertNoTrigger(() -> container.upsertItem(item("a", "there").put("n", 1), A, options));
            assertNoTrigger(() -> container.replaceItem(item("a", "there").put("n", 1), "there", A, options));
            assertNoTrigger(() -> container.deleteItem("there", A, options));
        }

        assertThat(ids(query(container, "SELECT * FROM c WHERE NOT IS_DEFINED(c.n)")))
                .containsExactly("there");
    }

    @Test
    void a_read_ignores_triggers() {
        CosmosContainer container = EMULATOR.container();
        container.createItem(item("a", "there"));
        var options = new CosmosItemRequestOptions().setPreTriggerInclude(List.of("none"));

        assertThat(container.readItem("there", A, options, ObjectNode.class).getStatusCode())
                .isEqualTo(200);
    }

    private static void assertNoTrigger(ThrowingCallable write) {
        assertThat(assertRefused(write, 400).actual()).hasMessageContaining("There is no trigger none");
    }
}
