package io.sluice.emulator;

import static io.sluice.emulator.Clients.assertRefused;
import static io.sluice.emulator.Clients.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RegionsIT {
    private static final PartitionKey A = new PartitionKey("a");

    private CosmosEmulator emulator;
    private CosmosClient client;
    private CosmosContainer container;

    @BeforeEach
    void start() {
        emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withRegions("North", "South"));
        client = Clients.builder(emulator)
                .endpoint(byName(emulator))
                .preferredRegions(List.of("South", "North"))
                .buildClient();
        client.createDatabase("db");
        container = Clients.container(client.getDatabase("db"), new CosmosContainerProperties("things", "/pk"));
        container.createItem(item("a", "1"));
    }

    @AfterEach
    void stop() {
        client.close();
        emulator.close();
    }

    @Test
    void reads_go_to_the_preferred_region_and_writes_where_they_are_taken() {
        container.readItem("1", A, ObjectNode.class);

        assertThat(regionsOf(RequestKind.ITEM_READ)).containsOnly("South");
        assertThat(regionsOf(RequestKind.ITEM_CREATE)).containsOnly("North");
    }

    @Test
    void a_client_follows_a_fail_over() {
        emulator.topology().failOver("South");

        container.createItem(item("a", "2"));

        assertThat(emulator.requests()
                        .matching(request ->
                                request.itemId() != null && request.itemId().equals("2")))
                .extracting(request -> request.region() + " " + request.status() + "/" + request.subStatus())
                .containsExactly("North 403/3", "South 201/0");
    }

    @Test
    void a_client_repeats_a_write_elsewhere_where_partitions_fail_over() {
        emulator.topology().letPartitionsFailOver();
        try (var another = Clients.builder(emulator)
                .endpoint(byName(emulator))
                .preferredRegions(List.of("North", "South"))
                .buildClient()) {
            emulator.faults().answerInstead(request -> request.operation() == RequestKind.ITEM_CREATE, 1, 408, 0);

            assertRefused(() -> another.getDatabase("db").getContainer("things").createItem(item("a", "2")), 409);
        }

        assertThat(emulator.requests()
                        .matching(request ->
                                request.itemId() != null && request.itemId().equals("2")))
                .extracting(request -> request.region() + " " + request.status())
                .containsExactly("North 201", "South 409");
    }

    @Test
    void reads_go_on_elsewhere_while_a_region_is_down() {
        emulator.faults().refuse(request -> request.region().equals("South"), 0, 503, 0);

        assertThat(container.readItem("1", A, ObjectNode.class).getStatusCode()).isEqualTo(200);
        assertThat(regionsOf(RequestKind.ITEM_READ)).contains("North");
    }

    @Test
    void a_session_ahead_of_the_partition_is_not_available() {
        var token = container.readItem("1", A, ObjectNode.class).getSessionToken();
        var ahead = token.substring(0, token.indexOf('#')) + "#999#1=999";
        var options = new CosmosItemRequestOptions().setSessionToken(ahead);

        assertRefused(() -> container.readItem("1", A, options, ObjectNode.class), 404)
                .returns(1002, CosmosException::getSubStatusCode);
    }

    @Test
    void every_region_may_take_writes() {
        try (var other = CosmosEmulator.start(
                        EmulatorConfig.inMemory().withRegions("East", "West").withMultipleWriteRegions(true));
                var both = Clients.builder(other)
                        .endpoint(byName(other))
                        .preferredRegions(List.of("West"))
                        .multipleWriteRegionsEnabled(true)
                        .buildClient()) {
            both.createDatabase("db");

            assertThat(other.topology().writeRegions()).containsExactly("East", "West");
            assertThat(other.requests().matching(request -> request.operation() == RequestKind.DATABASE_CREATE))
                    .extracting(LoggedRequest::status)
                    .containsOnly(201);
        }
    }

    @Test
    void a_clock_may_be_off() {
        emulator.setClockOffset(Duration.ofHours(-3));

        var written = container.createItem(item("a", "late")).getItem();

        assertThat(Instant.ofEpochSecond(written.path("_ts").asLong()))
                .isBetween(
                        Instant.now().minus(Duration.ofHours(3)).minusSeconds(60),
                        Instant.now().minus(Duration.ofHours(3)).plusSeconds(60));
    }

    @Test
    void regions_that_are_none_are_refused() {
        assertThatThrownBy(() -> EmulatorConfig.inMemory().withRegions()).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> EmulatorConfig.inMemory().withRegions("A", "A"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> emulator.topology().failOver("Nowhere")).isInstanceOf(IllegalArgumentException.class);
    }

    /** The SDK puts the names of preferred regions into the host's name, which an address has not. */
    private static String byName(CosmosEmulator emulator) {
        return emulator.endpoint().replace("127.0.0.1", "localhost");
    }

    private List<String> regionsOf(RequestKind kind) {
        return emulator.requests()
                .matching(request -> request.operation() == kind && request.status() < 300)
                .map(LoggedRequest::region)
                .distinct()
                .toList();
    }
}
