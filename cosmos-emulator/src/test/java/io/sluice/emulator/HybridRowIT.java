package io.sluice.emulator;

import static io.sluice.emulator.RawBatches.BATCH;
import static io.sluice.emulator.RawBatches.bulk;
import static io.sluice.emulator.RawBatches.results;
import static io.sluice.emulator.RawBatches.statuses;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.hybridrow.BatchRows;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches and bulk requests in the form, and with the headers, of the SDK for .NET. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HybridRowIT {
    @RegisterExtension
    static final RunningEmulator EMULATOR = RunningEmulator.inMemory();

    private CosmosContainer container;
    private RawBatches batches;
    private RequestLog log;

    @BeforeEach
    void makeContainer() {
        container = EMULATOR.container();
        batches = new RawBatches(EMULATOR.emulator(), container.getId());
        container.createItem(Clients.item("a", "old").put("n", 1));
        log = EMULATOR.emulator().requests();
        log.clear();
    }

    @Test
    void a_batch_does_all_kinds_of_operations() throws Exception {
        var answer = batches.send(BATCH, operations("""
                [{"operationType":"Create","resourceBody":{"id":"new","pk":"a"}},
                 {"operationType":"Upsert","resourceBody":{"id":"made","pk":"a"}},
                 {"operationType":"Upsert","resourceBody":{"id":"made","pk":"a","again":true}},
                 {"operationType":"Read","id":"old"},
                 {"operationType":"Replace","id":"old","resourceBody":{"id":"old","pk":"a","n":2}},
                 {"operationType":"Patch","id":"old",
                  "resourceBody":{"operations":[{"op":"incr","path":"/n","value":5}]}},
                 {"operationType":"Delete","id":"new"}]"""));

        assertThat(answer.status()).isEqualTo(200);
        var results = results(answer);
        assertThat(statuses(results)).containsExactly(201, 201, 200, 200, 200, 200, 204);
        assertThat(results.get(2).path("resourceBody").path("again").booleanValue())
                .isTrue();
        assertThat(results.get(3).path("resourceBody").path("n").intValue()).isEqualTo(1);
        assertThat(results.get(5).path("resourceBody")).isEqualTo(read("old"));
        assertThat(read("old").path("n").intValue()).isEqualTo(7);
        assertThat(results.get(5).path("eTag").textValue())
                .isEqualTo(read("old").path("_etag").textValue());
        assertThat(results.get(6).has("resourceBody")).isFalse();
        assertThat(charges(results))
                .as("the batch costs what its operations cost")
                .isEqualTo(Double.parseDouble(answer.header("x-ms-request-charge")));
    }

    @Test
    void the_log_has_the_operations() throws Exception {
        batches.send(BATCH, operations("""
                [{"operationType":"Create","resourceBody":{"id":"new","pk":"a"}},
                 {"operationType":"Patch","id":"old",
                  "resourceBody":{"operations":[{"op":"set","path":"/n","value":5}]}},
                 {"operationType":"Delete","id":"new"}]"""));

        assertThat(log.all())
                .singleElement()
                .returns(RequestKind.BATCH, LoggedRequest::operation)
                .returns("create:new,patch:old,delete:new", LoggedRequest::body)
                .returns(200, LoggedRequest::status);
    }

    @Test
    void a_batch_that_fails_changes_nothing_and_says_which_operation_it_was() throws Exception {
        var answer = batches.send(BATCH, operations("""
                [{"operationType":"Create","resourceBody":{"id":"new","pk":"a"}},
                 {"operationType":"Replace","id":"old","ifMatch":"other","resourceBody":{"id":"old","pk":"a"}},
                 {"operationType":"Delete","id":"old"}]"""));

        assertThat(answer.status()).isEqualTo(207);
        assertThat(statuses(results(answer))).containsExactly(424, 412, 424);
        assertThat(Clients.ids(Clients.query(container, "SELECT * FROM c"))).containsExactly("old");
    }

    @Test
    void a_condition_that_holds_lets_a_batch_pass() throws Exception {
        var replacement = operations(
                "[{\"operationType\":\"Replace\",\"id\":\"old\",\"resourceBody\":{\"id\":\"old\",\"pk\":\"a\"}}]");
        ((ObjectNode) replacement.get(0))
                .put("ifMatch", read("old").path("_etag").textValue());

        assertThat(batches.send(BATCH, replacement).status()).isEqualTo(200);
        assertThat(batches.send(BATCH, replacement).status())
                .as("the ETag is another now")
                .isEqualTo(207);
    }

    @Test
    void only_writes_that_prefer_it_come_back_without_their_document() throws Exception {
        var answer = batches.send(BATCH, operations("""
                [{"operationType":"Create","resourceBody":{"id":"1","pk":"a"},"minimalReturnPreference":true},
                 {"operationType":"Create","resourceBody":{"id":"2","pk":"a"},"minimalReturnPreference":false},
                 {"operationType":"Create","resourceBody":{"id":"3","pk":"a"}},
                 {"operationType":"Read","id":"1","minimalReturnPreference":true}]"""));

        var results = results(answer);
        assertThat(results).extracting(result -> result.has("resourceBody")).containsExactly(false, true, true, true);
        assertThat(results).extracting(result -> result.has("eTag")).containsOnly(true);
    }

    @Test
    void the_operations_of_a_bulk_request_succeed_or_fail_one_by_one() throws Exception {
        var answer = batches.send(bulk(rangeOfItems(true)), operations("""
                [{"operationType":"Create","partitionKey":"[\\"a\\"]","resourceBody":{"id":"new","pk":"a"}},
                 {"operationType":"Create","partitionKey":"[\\"a\\"]","resourceBody":{"id":"old","pk":"a"}},
                 {"operationType":"Read","id":"old"},
                 {"operationType":"Delete","partitionKey":"[\\"a\\"]","id":"old"}]"""));

        assertThat(answer.status()).isEqualTo(207);
        assertThat(statuses(results(answer))).containsExactly(201, 409, 400, 204);
        assertThat(Clients.ids(Clients.query(container, "SELECT * FROM c"))).containsExactly("new");
        assertThat(log.matching(request -> request.operation() == RequestKind.BULK))
                .singleElement()
                .returns("create:new,create:old,read:old,delete:old", LoggedRequest::body);
    }

    @Test
    void the_operations_of_another_range_say_so_with_a_sub_status() throws Exception {
        var answer = batches.send(bulk(rangeOfItems(false)), operations("""
                [{"operationType":"Read","partitionKey":"[\\"a\\"]","id":"old"}]"""));

        assertThat(results(answer))
                .singleElement()
                .returns(410, result -> result.path("statusCode").intValue())
                .returns(1002, result -> result.path("subStatusCode").intValue());
    }

    @Test
    void results_and_headers_are_those_of_the_same_operations_in_json() throws Exception {
        var operations = operations("""
                [{"operationType":"Read","partitionKey":"[\\"a\\"]","id":"old"},
                 {"operationType":"Create","partitionKey":"[\\"a\\"]","resourceBody":{"id":"old","pk":"a"}},
                 {"operationType":"Create","partitionKey":"[\\"a\\"]","resourceBody":{"id":"new","pk":"b"}},
                 {"operationType":"Delete","partitionKey":"[\\"a\\"]","id":"none"},
                 {"operationType":"Patch","partitionKey":"[\\"a\\"]","id":"old","resourceBody":{"operations":[]}},
                 {"operationType":"Replace","partitionKey":"[\\"a\\"]","id":"old","ifMatch":"other",
                  "resourceBody":{"id":"old","pk":"a"}}]""");
        var headers = bulk(rangeOfItems(true));

        var json = batches.send(headers, Json.bytes(operations));
        var rows = batches.send(headers, operations);

        assertThat(statuses(results(rows))).containsExactly(200, 409, 400, 404, 400, 412);
        assertThat(results(rows)).isEqualTo(Json.read(json.text()));
        assertThat(rows.status()).isEqualTo(json.status());
        assertThat(List.of("x-ms-session-token", "x-ms-request-charge", "lsn", "x-ms-documentdb-partitionkeyrangeid"))
                .allSatisfy(name -> assertThat(rows.header(name)).isNotEmpty().isEqualTo(json.header(name)));
    }

    @Test
    void a_batch_beyond_the_throughput_is_refused_with_a_time_to_retry_after() throws Exception {
        var write = operations("[{\"operationType\":\"Upsert\",\"resourceBody\":{\"id\":\"old\",\"pk\":\"a\"}}]");
        EMULATOR.emulator().partitions().limitThroughput("tests", container.getId(), 1);

        assertThat(batches.send(BATCH, write).status()).isEqualTo(200);
        var answer = batches.send(BATCH, write);

        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.header("x-ms-substatus")).isEqualTo("3200");
        assertThat(answer.header("x-ms-retry-after-ms")).matches("[1-9]\\d*");
        assertThat(Json.read(answer.text()).path("code").textValue()).isEqualTo("TooManyRequests");
    }

    @Test
    void a_batch_over_two_megabytes_is_refused() throws Exception {
        var many = Json.nodes().arrayNode();
        for (int i = 0; i < 3; i++) {
            var operation = many.addObject().put("operationType", "Create");
            operation.putObject("resourceBody").put("id", "" + i).put("pk", "a").put("text", "x".repeat(900_000));
        }

        var answer = batches.send(BATCH, many);

        assertThat(answer.status()).isEqualTo(413);
        assertThat(Json.read(answer.text()).path("message").textValue()).contains("a batch may have 2097152 bytes");
    }

    @Test
    void a_batch_may_have_100_operations() throws Exception {
        var many = Json.nodes().arrayNode();
        for (int i = 0; i < 100; i++) {
            var operation = many.addObject().put("operationType", "Create");
            operation.putObject("resourceBody").put("id", "item-" + i).put("pk", "a");
        }

        var answer = batches.send(BATCH, many);
        assertThat(statuses(results(answer))).hasSize(100).containsOnly(201);

        many.addObject().put("operationType", "Read").put("id", "old");
        var more = batches.send(BATCH, many);
        assertThat(more.status()).isEqualTo(400);
        assertThat(Json.read(more.text()).path("message").textValue()).contains("had 101");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 9, 10, 11, 30, 60})
    void a_body_that_is_cut_off_is_refused_with_json(int length) throws Exception {
        var whole = BatchRows.writeOperations(
                operations("[{\"operationType\":\"Create\",\"resourceBody\":{\"id\":\"new\",\"pk\":\"a\"}}]"));

        var answer = batches.send(BATCH, Arrays.copyOf(whole, length));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(Json.read(answer.text()).path("code").textValue()).isEqualTo("BadRequest");
        assertThat(Json.read(answer.text()).path("message").textValue())
                .matches("(?s)(The input content is invalid HybridRow|Batch request has no operations).*");
        assertThat(Clients.ids(Clients.query(container, "SELECT * FROM c"))).containsExactly("old");
    }

    @Test
    void a_batch_in_json_is_answered_in_json_and_may_prefer_too() throws Exception {
        var answer = batches.send(BATCH, Json.bytes(operations("""
                [{"operationType":"Create","resourceBody":{"id":"1","pk":"a"},"minimalReturnPreference":true},
                 {"operationType":"Create","resourceBody":{"id":"2","pk":"a"}}]""")));

        assertThat(Json.read(answer.text()))
                .extracting(result -> result.has("resourceBody"))
                .containsExactly(false, true);
    }

    /** A range that has items, or one that has none. */
    private String rangeOfItems(boolean hasSome) {
        return EMULATOR.emulator().partitions().of("tests", container.getId()).stream()
                .filter(partition -> partition.itemCount() > 0 == hasSome)
                .findFirst()
                .orElseThrow()
                .id();
    }

    private JsonNode read(String id) {
        return container.readItem(id, new PartitionKey("a"), ObjectNode.class).getItem();
    }

    private static ArrayNode operations(String json) throws Exception {
        return (ArrayNode) Json.read(json);
    }

    private static double charges(ArrayNode results) {
        double sum = results.findValues("requestCharge").stream()
                .mapToDouble(JsonNode::doubleValue)
                .sum();
        return Math.round(sum * 100) / 100.0;
    }
}
