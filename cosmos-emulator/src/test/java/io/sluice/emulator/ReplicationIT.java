package io.sluice.emulator;

import static io.sluice.emulator.Clients.assertRefused;
import static io.sluice.emulator.Clients.ids;
import static io.sluice.emulator.Clients.item;
import static io.sluice.emulator.Clients.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One client writes in the North, another reads in the South, which is behind. */
class ReplicationIT {
    private static final PartitionKey A = new PartitionKey("a");

    private final SettableClock clock = new SettableClock();
    private CosmosEmulator emulator;
    private CosmosClient writer;
    private CosmosClient reader;
    private CosmosContainer north;
    private CosmosContainer south;

    @BeforeEach
    void start() {
        emulator = CosmosEmulator.start(
                EmulatorConfig.inMemory().withRegions("North", "South").withClock(clock));
        writer = client("North");
        reader = client("South");
        writer.createDatabase("db");
        north = Clients.container(writer.getDatabase("db"), new CosmosContainerProperties("things", "/pk"));
        south = reader.getDatabase("db").getContainer("things");
        north.createItem(item("a", "1").put("n", 1));
    }

    @AfterEach
    void stop() {
        reader.close();
        writer.close();
        emulator.close();
    }

    /** A client that reads in one region, whatever its session has seen. */
    private CosmosClient client(String region) {
        return Clients.builder(emulator)
                .endpoint(emulator.endpoint().replace("127.0.0.1", "localhost"))
                .consistencyLevel(ConsistencyLevel.EVENTUAL)
                .preferredRegions(List.of(region))
                .buildClient();
    }

    @Test
    void a_region_that_gets_no_writes_shows_those_from_before() {
        emulator.replication().stop("South");

        north.createItem(item("a", "2"));
        north.replaceItem(item("a", "1").put("n", 2), "1", A, null);
        north.createItem(item("b", "3"));

        assertThat(south.readItem("1", A, ObjectNode.class).getItem().path("n").asInt())
                .isEqualTo(1);
        assertRefused(() -> south.readItem("2", A, ObjectNode.class), 404)
                .returns(0, CosmosException::getSubStatusCode);
        assertThat(ids(query(south, "SELECT * FROM c WHERE c.n > 0 ORDER BY c.n")))
                .containsExactly("1");
        assertThat(changes(south)).containsExactly("1");
        assertThat(changes(north)).containsExactlyInAnyOrder("1", "2", "3");
    }

    @Test
    void all_of_it_arrives_at_last() {
        emulator.replication().stop("South");
        north.createItem(item("a", "2"));

        emulator.replication().resume("South");

        assertThat(changes(south)).containsExactly("1", "2");
    }

    @Test
    void writes_arrive_after_a_while_and_in_their_order() {
        emulator.replication().delay("South", Duration.ofSeconds(10));
        north.createItem(item("a", "2"));
        clock.advance(Duration.ofSeconds(4));
        north.deleteItem("1", A, null);

        assertThat(changes(south)).containsExactly("1");
        clock.advance(Duration.ofSeconds(6));
        assertThat(changes(south)).containsExactly("1", "2");
        clock.advance(Duration.ofSeconds(4));
        assertThat(changes(south)).containsExactly("2");
        assertRefused(() -> south.readItem("1", A, ObjectNode.class), 404);
    }

    @Test
    void a_transaction_arrives_whole() {
        emulator.replication().delay("South", Duration.ofSeconds(1));
        var batch = CosmosBatch.createCosmosBatch(A);
        batch.createItemOperation(item("a", "2"));
        batch.deleteItemOperation("1");
        north.executeCosmosBatch(batch);

        assertThat(changes(south)).containsExactly("1");
        clock.advance(Duration.ofSeconds(1));
        assertThat(changes(south)).containsExactly("2");
    }

    @Test
    void a_session_that_is_ahead_of_a_region_is_not_available_there() {
        emulator.replication().delay("South", Duration.ofSeconds(10));
        var token = north.createItem(item("a", "2")).getSessionToken();
        emulator.faults().refuse(ReplicationIT::isReadInNorth, 0, 503, 0);

        assertRefused(() -> south.readItem("2", A, withSession(token), ObjectNode.class), 503);
        assertThat(emulator.requests().matching(ReplicationIT::isReadInSouth))
                .isNotEmpty()
                .allMatch(request -> request.status() == 404 && request.subStatus() == 1002);
        assertThat(south.readItem("1", A, ObjectNode.class).getStatusCode()).isEqualTo(200);

        clock.advance(Duration.ofSeconds(10));
        assertThat(south.readItem("2", A, withSession(token), ObjectNode.class).getStatusCode())
                .isEqualTo(200);
    }

    @Test
    void a_session_that_is_ahead_of_a_region_is_served_by_another() {
        emulator.replication().stop("South");
        var token = north.createItem(item("a", "2")).getSessionToken();

        assertThat(south.readItem("2", A, withSession(token), ObjectNode.class).getStatusCode())
                .isEqualTo(200);
        assertThat(emulator.requests().matching(request -> request.operation() == RequestKind.ITEM_READ))
                .extracting(request -> request.region() + " " + request.status() + "/" + request.subStatus())
                .contains("South 404/1002")
                .endsWith("North 200/0");
    }

    @Test
    void a_container_that_is_made_meanwhile_is_empty_there() {
        emulator.replication().stop("South");
        var made = Clients.container(writer.getDatabase("db"), new CosmosContainerProperties("made", "/pk"));
        made.createItem(item("a", "1"));

        var there = reader.getDatabase("db").getContainer("made");
        assertThat(changes(there)).isEmpty();
        emulator.replication().resume("South");
        assertThat(changes(there)).containsExactly("1");
    }

    @Test
    void a_fail_over_may_lose_what_had_not_arrived() {
        north.createItem(item("b", "2"));
        emulator.replication().stop("South");
        var lost = north.createItem(item("a", "3"));
        north.replaceItem(item("a", "1").put("n", 2), "1", A, null);

        emulator.replication().failOverWithLoss("South");

        assertThat(changes(north)).containsExactlyInAnyOrder("1", "2");
        assertThat(changes(south)).containsExactlyInAnyOrder("1", "2");
        assertThat(north.readItem("1", A, ObjectNode.class).getItem().path("n").asInt())
                .isEqualTo(1);
        var again = north.createItem(item("a", "4"));
        assertThat(again.getSessionToken())
                .as("log sequence numbers are given again")
                .isEqualTo(lost.getSessionToken());
        assertThat(emulator.requests().matching(request -> "4".equals(request.itemId()) && request.status() == 201))
                .extracting(LoggedRequest::region)
                .containsExactly("South");
    }

    @Test
    void a_fail_over_keeps_what_had_arrived() {
        emulator.replication().delay("South", Duration.ofSeconds(10));
        north.createItem(item("a", "2"));
        clock.advance(Duration.ofSeconds(10));
        north.createItem(item("a", "3"));

        emulator.replication().failOverWithLoss("South");

        assertThat(changes(north)).containsExactly("1", "2");
    }

    @Test
    void a_fail_over_to_a_region_that_has_all_loses_nothing() {
        emulator.replication().stop("South");
        north.createItem(item("a", "2"));

        emulator.replication().failOverWithLoss("North");

        assertThat(changes(south)).as("no region is behind any more").containsExactly("1", "2");
    }

    @Test
    void a_delay_may_be_longer_than_any_clock_goes() {
        emulator.replication().delay("South", ChronoUnit.FOREVER.getDuration());
        north.createItem(item("a", "2"));

        assertThat(changes(south)).containsExactly("1");
        emulator.replication().resume("South");
        assertThat(changes(south)).containsExactly("1", "2");
    }

    @Test
    void a_fail_over_without_loss_waits_for_all_writes() {
        emulator.replication().stop("South");
        north.createItem(item("a", "2"));

        emulator.topology().failOver("South");
        north.createItem(item("a", "3"));

        assertThat(changes(south)).containsExactly("1", "2", "3");
        assertThat(changes(north)).containsExactly("1", "2", "3");
    }

    @Test
    void partitions_that_fail_over_have_all_writes() {
        emulator.replication().stop("South");
        north.createItem(item("a", "2"));

        emulator.topology().letPartitionsFailOver();

        assertThat(changes(south)).containsExactly("1", "2");
    }

    @Test
    void a_region_falls_behind_and_catches_up_under_load() {
        var done = new AtomicBoolean();
        var writes = IntStream.range(0, 4)
                .mapToObj(writer -> CompletableFuture.runAsync(() -> {
                    for (int i = 0; !done.get(); i++) {
                        north.upsertItem(item("key-" + writer, "item-" + i % 20).put("n", i));
                    }
                }))
                .toList();
        var reads = CompletableFuture.runAsync(() -> {
            while (!done.get()) {
                query(south, "SELECT * FROM c WHERE c.n >= 0 ORDER BY c.n");
                changes(south);
            }
        });

        for (int round = 0; round < 20; round++) {
            emulator.replication().delay("South", Duration.ofMillis(round % 3));
            clock.advance(Duration.ofMillis(1));
            query(south, "SELECT * FROM c");
            clock.advance(Duration.ofMillis(2));
            emulator.replication().resume("South");
        }
        done.set(true);

        assertThat(CompletableFuture.allOf(
                        Stream.concat(writes.stream(), Stream.of(reads)).toArray(CompletableFuture[]::new)))
                .succeedsWithin(Duration.ofSeconds(30));
        assertThat(changes(south)).containsExactlyInAnyOrderElementsOf(changes(north));
        assertThat(emulator.requests().matching(request -> request.status() >= 500))
                .isEmpty();
    }

    @Test
    void what_makes_no_sense_is_refused() {
        var replication = emulator.replication();
        assertThatThrownBy(() -> replication.stop("Nowhere")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> replication.stop("North"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'North' takes writes");
        assertThatThrownBy(() -> replication.delay("South", Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        replication.stop("South");
        assertThatThrownBy(() -> emulator.partitions().split("db", "things", "0"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("behind");
        replication.resume("South");
        assertThat(emulator.partitions().split("db", "things", "0")).hasSize(2);
    }

    @Test
    void programs_of_other_languages_hold_regions_back_by_http() throws Exception {
        assertThat(control("regions/South/stop", "{}")).isEqualTo(200);
        north.createItem(item("a", "2"));
        assertThat(changes(south)).containsExactly("1");
        assertThat(control("regions/South/resume", "{}")).isEqualTo(200);
        assertThat(changes(south)).containsExactly("1", "2");
        assertThat(control("regions/South/delay", "{\"seconds\":0.5}")).isEqualTo(200);
        north.createItem(item("a", "3"));
        assertThat(control("regions/South/failover", "{\"loss\":true}")).isEqualTo(200);
        assertThat(changes(north)).containsExactly("1", "2");
        assertThat(emulator.topology().writeRegions()).containsExactly("South");
        assertThat(control("regions/North/failover", "{}")).isEqualTo(200);
        assertThat(emulator.topology().writeRegions()).containsExactly("North");
        assertThat(control("dbs/db/colls/things/limit", "{\"requestUnitsPerSecond\":1000}"))
                .isEqualTo(200);

        assertThat(control("regions/North/stop", "{}")).as("it takes writes").isEqualTo(400);
        assertThat(control("regions/Nowhere/stop", "{}")).isEqualTo(400);
        assertThat(control("regions/South/delay", "{\"seconds\":\"1\"}")).isEqualTo(400);
        assertThat(control("regions/South/vanish", "{}")).isEqualTo(404);
    }

    private int control(String path, String body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(emulator.endpoint() + "_emulator/" + path))
                .header("x-emulator-control", "true")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    private static boolean isReadInNorth(LoggedRequest request) {
        return request.operation() == RequestKind.ITEM_READ && request.region().equals("North");
    }

    private static boolean isReadInSouth(LoggedRequest request) {
        return request.operation() == RequestKind.ITEM_READ && request.region().equals("South");
    }

    private static CosmosItemRequestOptions withSession(String token) {
        return new CosmosItemRequestOptions()
                .setConsistencyLevel(ConsistencyLevel.SESSION)
                .setSessionToken(token);
    }

    private static List<String> changes(CosmosContainer container) {
        var options = CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange());
        return ids(container.queryChangeFeed(options, JsonNode.class).stream().toList());
    }
}
