package io.sluice.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.process.Browser;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The emulator's page as a browser shows it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ExplorerPageIT {
    @Test
    void the_page_lists_what_there_is_and_runs_a_query() throws Exception {
        var browser = Browser.find();
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(2));
                var client = JavaClients.builder(emulator).buildClient()) {
            client.createDatabase("shop");
            client.getDatabase("shop").createContainer("orders", "/pk");
            var container = client.getDatabase("shop").getContainer("orders");
            for (int i = 0; i < 5; i++) {
                container.createItem(Map.of("id", "order-" + i, "pk", "key-" + i, "n", i));
            }
            emulator.partitions().split("shop", "orders", "0");

            var shown = browser.show(
                    emulator.endpoint()
                            + "?database=shop&container=orders&query=SELECT%20VALUE%20c.id%20FROM%20c%20WHERE%20c.n%20%3E%202%20ORDER%20BY%20c.n");

            assertThat(shown).contains("orders (5 items)").contains("2 results");
            assertThat(shown).contains("\"order-3\"").contains("\"order-4\"").doesNotContain("\"order-2\"");
            assertThat(shown).contains("<td>2</td>").contains("<td>3</td>");
            var wrong = browser.show(emulator.endpoint() + "?database=shop&container=orders&query=SELECT");
            assertThat(wrong).contains("class=\"error\"").contains("SC1001");
        }
    }
}
