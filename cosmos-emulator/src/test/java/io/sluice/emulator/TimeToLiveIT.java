package io.sluice.emulator;

import static io.sluice.emulator.Clients.assertRefused;
import static io.sluice.emulator.Clients.ids;
import static io.sluice.emulator.Clients.item;
import static io.sluice.emulator.Clients.query;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeToLiveIT {
    private static final PartitionKey A = new PartitionKey("a");
    private static final SettableClock CLOCK = new SettableClock();

    @RegisterExtension
    static final RunningEmulator EMULATOR =
            new RunningEmulator(EmulatorConfig.inMemory().withClock(CLOCK));

    @Test
    void an_item_is_gone_when_its_time_is_over() {
        var container = withDefault(10);
        container.createItem(item("a", "by-default"));
        container.createItem(item("a", "longer").put("ttl", 100));
        container.createItem(item("a", "for-ever").put("ttl", -1));

        CLOCK.advance(Duration.ofSeconds(10));

        assertThat(ids(query(container, "SELECT * FROM c"))).containsExactlyInAnyOrder("longer", "for-ever");
        assertRefused(() -> container.readItem("by-default", A, ObjectNode.class), 404);
        assertRefused(() -> container.replaceItem(item("a", "by-default"), "by-default", A, null), 404);
        assertRefused(() -> container.deleteItem("by-default", A, null), 404);
        assertThat(container.queryChangeFeed(
                        CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange()),
                        JsonNode.class))
                .hasSize(2);
    }

    @Test
    void a_write_gives_it_time_again() {
        var container = withDefault(10);
        container.createItem(item("a", "1"));
        CLOCK.advance(Duration.ofSeconds(9));
        container.upsertItem(item("a", "1"));

        CLOCK.advance(Duration.ofSeconds(9));

        assertThat(query(container, "SELECT * FROM c")).hasSize(1);
    }

    @Test
    void its_id_is_free_again_at_once() {
        var container = withDefault(10);
        var first = container.createItem(item("a", "1"));
        CLOCK.advance(Duration.ofSeconds(10));

        var second = container.createItem(item("a", "1"));

        assertThat(second.getStatusCode()).isEqualTo(201);
        assertThat(second.getItem().path("_rid")).isNotEqualTo(first.getItem().path("_rid"));
        assertThat(query(container, "SELECT * FROM c")).hasSize(1);
    }

    @Test
    void without_a_default_nothing_expires() {
        var container = EMULATOR.container();
        container.createItem(item("a", "1").put("ttl", 1));

        CLOCK.advance(Duration.ofDays(1));

        assertThat(query(container, "SELECT * FROM c")).hasSize(1);
    }

    @Test
    void minus_one_lets_items_choose() {
        var container = withDefault(-1);
        container.createItem(item("a", "1"));
        container.createItem(item("a", "2").put("ttl", 5));

        CLOCK.advance(Duration.ofSeconds(5));

        assertThat(ids(query(container, "SELECT * FROM c"))).containsExactly("1");
    }

    @Test
    void switching_it_on_concerns_items_that_are_there() {
        var container = EMULATOR.container();
        container.createItem(item("a", "1"));
        CLOCK.advance(Duration.ofSeconds(60));
        var properties = container.read().getProperties();
        properties.setDefaultTimeToLiveInSeconds(30);

        container.replace(properties);

        assertThat(container.read().getProperties().getDefaultTimeToLiveInSeconds())
                .isEqualTo(30);
        assertThat(query(container, "SELECT * FROM c")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-2", "1.5", "\"10\"", "99999999999"})
    void a_time_that_is_none_is_refused(String ttl) throws Exception {
        var container = withDefault(-1);
        var item = item("a", "1");
        item.set("ttl", new ObjectMapper().readTree(ttl));

        assertRefused(() -> container.createItem(item), 400);
    }

    private static CosmosContainer withDefault(int seconds) {
        return EMULATOR.container(properties -> properties.setDefaultTimeToLiveInSeconds(seconds));
    }
}
