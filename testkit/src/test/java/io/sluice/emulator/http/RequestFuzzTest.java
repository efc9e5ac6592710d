package io.sluice.emulator.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.message.WireResponse;
import io.sluice.testkit.fuzz.Fuzz;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests with damage anywhere: line, headers, body. Each is answered, or refused with a status of the service, and
 * leaves a store behind that can be read.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RequestFuzzTest {
    private static final Set<Integer> REFUSALS = Set.of(400, 401, 403, 404, 405, 409, 410, 412, 413, 424, 429, 449);
    private static final String DOCS = "/dbs/d/colls/c/docs";
    private static final String KEY = "\nx-ms-documentdb-partitionkey: [\"a\"]\n";
    private static final String QUERY = "POST " + DOCS + "\nx-ms-documentdb-isquery: true\n";
    private static final String ANY_PARTITION = "x-ms-documentdb-query-enablecrosspartition: true\n";
    private static final String BATCH =
            "POST " + DOCS + KEY + "x-ms-cosmos-is-batch-request: true\nx-ms-cosmos-batch-atomic: true\n\n";

    private static final Map<String, List<String>> EXAMPLES = Map.of(
            "items",
            List.of(
                    "GET " + DOCS + "/i1" + KEY + "x-ms-session-token: 0:0#1#1=1,1:0#0#1=0\nif-none-match: \"x\"\n",
                    "POST " + DOCS + KEY
                            + "x-ms-documentdb-is-upsert: true\nprefer: return=minimal\n\n{\"id\":\"i1\",\"pk\":\"a\",\"u\":[1,{\"x\":null}],\"ttl\":5}",
                    "POST " + DOCS + KEY + "\n{\"id\":\"new\",\"pk\":\"a\",\"n\":-1.5e3,\"u\":\"\\ud83d\\ude00\"}",
                    "PUT " + DOCS + "/i2" + KEY + "if-match: *\n\n{\"id\":\"i2\",\"pk\":\"a\",\"u\":3}",
                    "DELETE " + DOCS + "/i3" + KEY + "\n",
                    "POST /dbs/d/colls/h/docs\nx-ms-documentdb-partitionkey: [\"a\",1]\n\n{\"id\":\"x\",\"a\":\"a\",\"b\":1}"),
            "patches",
            List.of(
                    "PATCH " + DOCS + "/i1" + KEY
                            + "\n{\"operations\":[{\"op\":\"incr\",\"path\":\"/n\",\"value\":1},{\"op\":\"add\",\"path\":\"/list/-\",\"value\":{}}],\"condition\":\"FROM c WHERE c.n > 0\"}",
                    "PATCH " + DOCS + "/i1" + KEY
                            + "\n{\"operations\":[{\"op\":\"move\",\"from\":\"/list/0\",\"path\":\"/o/q\"},{\"op\":\"remove\",\"path\":\"/o/p\"}],\"condition\":\"FROM c WHERE 6 / (c.n ?? c.z) = 6 AND c.pk = 'a'\"}",
                    "PATCH " + DOCS + "/i2" + KEY
                            + "\n{\"operations\":[{\"op\":\"incr\",\"path\":\"/n\",\"value\":1.5e307},{\"op\":\"set\",\"path\":\"/ttl\",\"value\":7},{\"op\":\"replace\",\"path\":\"/u\",\"value\":[[]]}]}",
                    "PATCH " + DOCS + "/i3" + KEY
                            + "\n[{\"op\":\"move\",\"from\":\"/n\",\"path\":\"/m\"},{\"op\":\"set\",\"path\":\"/a~1b\",\"value\":null}]",
                    "PATCH " + DOCS + "/i3" + KEY + "\n[{\"op\":\"move\",\"from\":\"/id\",\"path\":\"/m\"}]"),
            "batches",
            List.of(
                    BATCH
                            + "[{\"operationType\":\"Upsert\",\"resourceBody\":{\"id\":\"b\",\"pk\":\"a\",\"u\":9},\"ifMatch\":\"x\"},{\"operationType\":\"Patch\",\"id\":\"i1\",\"resourceBody\":{\"operations\":[{\"op\":\"incr\",\"path\":\"/n\",\"value\":1}],\"condition\":\"FROM c WHERE 1 / (c.n ?? c.z) = 1\"}}]",
                    BATCH
                            + "[{\"operationType\":\"Create\",\"resourceBody\":{\"id\":\"b\",\"pk\":\"a\",\"u\":5}},{\"operationType\":\"Read\",\"id\":\"b\"},{\"operationType\":\"Replace\",\"id\":\"b\",\"resourceBody\":{\"id\":\"b\",\"pk\":\"a\"}},{\"operationType\":\"Delete\",\"id\":\"b\"}]",
                    "POST " + DOCS
                            + "\nx-ms-documentdb-partitionkeyrangeid: 0\nx-ms-cosmos-is-batch-request: true\nx-ms-cosmos-batch-continue-on-error: true\n\n"
                            + "[{\"operationType\":\"Create\",\"partitionKey\":\"[\\\"a\\\"]\",\"resourceBody\":{\"id\":\"b\",\"pk\":\"a\",\"u\":5}},{\"operationType\":\"Read\",\"id\":\"i1\",\"partitionKey\":\"[\\\"a\\\"]\"}]"),
            "queries",
            List.of(
                    QUERY
                            + "x-ms-documentdb-partitionkey: [\"a\"]\nx-ms-max-item-count: 1\nx-ms-continuation: {\"pending\":[[\"\",\"FF\",0,0]]}\n\n{\"query\":\"SELECT * FROM c ORDER BY c.n, c.id\"}",
                    QUERY + ANY_PARTITION
                            + "x-ms-documentdb-populatequerymetrics: true\n\n{\"query\":\"SELECT VALUE c.n / @p FROM c WHERE c.n > @p\",\"parameters\":[{\"name\":\"@p\",\"value\":1}]}",
                    QUERY + ANY_PARTITION
                            + "x-ms-documentdb-partitionkeyrangeid: 0\nx-ms-continuation: {\"kept\":[\"a\"],\"pending\":[[\"\",\"1F\",5,2],[\"1F\",\"FF\",9223372036854775807,2147483647]]}\n\n{\"query\":\"SELECT VALUE COUNT(1) FROM c\"}",
                    QUERY + ANY_PARTITION
                            + "x-ms-start-epk: 00\nx-ms-end-epk: 1FFF\nx-ms-read-key-type: EffectivePartitionKeyRange\n\n{\"query\":\"SELECT DISTINCT c.u FROM c\"}",
                    "POST " + DOCS
                            + "\nx-ms-cosmos-is-query-plan-request: True\nx-ms-cosmos-supported-query-features: Top, GroupBy, MultipleAggregates\ncontent-type: application/query+json\n\n{\"query\":\"SELECT TOP @n c.n, COUNT(1) AS k FROM c WHERE c.pk = 'a' GROUP BY c.n\",\"parameters\":[{\"name\":\"@n\",\"value\":1}]}",
                    "POST /dbs/d/colls/h/docs\nx-ms-documentdb-isquery: true\nx-ms-documentdb-partitionkey: [\"a\"]\n\n{\"query\":\"SELECT * FROM c WHERE c.a = 'a' AND c.b = 1\"}",
                    "POST /dbs\nx-ms-documentdb-isquery: true\n\n{\"query\":\"SELECT * FROM r WHERE r.id = 'd'\"}",
                    "POST /dbs/d/colls\ncontent-type: application/query+json\n\n{\"query\":\"SELECT * FROM r WHERE 4 / @p = 2\",\"parameters\":[{\"name\":\"@p\",\"value\":2}]}",
                    "POST /_emulator/dbs/d/colls/c/query\nx-emulator-control: true\n\n{\"query\":\"SELECT VALUE 1 / c.n FROM c\"}"),
            "feeds",
            List.of(
                    "GET " + DOCS + "\nx-ms-max-item-count: 1\nx-ms-continuation: {\"pending\":[[\"\",\"FF\",0,0]]}\n",
                    "GET " + DOCS
                            + "\na-im: Incremental Feed\nx-ms-documentdb-partitionkeyrangeid: 0\nif-none-match: \"1\"\nif-modified-since: Thu, 01 Jan 2026 00:00:00 GMT\n",
                    "GET " + DOCS
                            + "\na-im: Full-Fidelity Feed\nx-ms-documentdb-partitionkeyrangeid: 1\nx-ms-cosmos-changefeed-wire-format-version: 2021-09-15\nif-none-match: *\n",
                    "GET " + DOCS
                            + "\na-im: Incremental Feed\nx-ms-start-epk: 00\nx-ms-end-epk: 1FFF\nx-ms-session-token: 0:0#0#1=0\n",
                    "GET /dbs/d/colls/c/pkranges\na-im: Incremental Feed\nif-none-match: \"1\"\n"),
            "resources",
            List.of(
                    "GET /\nhost: localhost:8081\n",
                    "POST /dbs\nx-ms-offer-throughput: 400\n\n{\"id\":\"more\"}",
                    "POST /dbs/d/colls\nx-ms-cosmos-offer-autopilot-settings: {\"maxThroughput\":4000}\n\n{\"id\":\"e\",\"partitionKey\":{\"paths\":[\"/\\\"a b\\\"/c\"],\"kind\":\"Hash\",\"version\":\"V2\"},\"indexingPolicy\":{\"indexingMode\":\"none\",\"includedPaths\":[{\"path\":\"/a/?\"}],\"excludedPaths\":[{\"path\":\"/*\"}],\"compositeIndexes\":[[{\"path\":\"/a\",\"order\":\"descending\"},{\"path\":\"/b\"}]]},\"uniqueKeyPolicy\":{\"uniqueKeys\":[{\"paths\":[\"/m\",\"/n\"]}]},\"changeFeedPolicy\":{\"retentionDuration\":5},\"defaultTtl\":-1}",
                    "PUT /dbs/d/colls/c\n\n{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2},\"defaultTtl\":5,\"uniqueKeyPolicy\":{\"uniqueKeys\":[{\"paths\":[\"/u\"]}]},\"indexingPolicy\":{\"excludedPaths\":[{\"path\":\"/n/*\"}]}}",
                    "GET /offers\n",
                    "POST /offers\nx-ms-documentdb-isquery: true\n\n{\"query\":\"SELECT * FROM r WHERE 1 / r.content.offerThroughput < 1\"}",
                    "POST /_emulator/dbs/d/colls/c/split\nx-emulator-control: true\n\n{\"range\":\"0\"}",
                    "POST /_emulator/dbs/d/colls/c/merge\nx-emulator-control: true\n\n{\"ranges\":[\"0\",\"1\"]}",
                    "DELETE /dbs/d/colls/h\n"));

    /** What must go on whatever was written. */
    private static final List<String> READS = List.of(
            "GET " + DOCS + "\n",
            "GET " + DOCS + "\na-im: Incremental Feed\nx-ms-documentdb-partitionkey: [\"a\"]\n",
            "GET " + DOCS
                    + "\na-im: Full-Fidelity Feed\nx-ms-documentdb-partitionkey: [\"a\"]\nx-ms-cosmos-changefeed-wire-format-version: 2021-09-15\nif-none-match: \"0\"\n",
            QUERY
                    + "x-ms-documentdb-partitionkey: [\"a\"]\n\n{\"query\":\"SELECT * FROM c WHERE c.n > 0 OR c.u != 1 OR NOT IS_DEFINED(c.x)\"}",
            "GET /dbs/d/colls\n");

    static Stream<Arguments> kinds() {
        return EXAMPLES.entrySet().stream().map(kind -> Arguments.of(kind.getKey(), kind.getValue()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void a_damaged_request_is_answered_or_refused(String kind, List<String> examples) {
        Fuzz.of("requests: " + kind, examples)
                .refusedBy(StatusException.class)
                .runs(1_500, 5)
                .read(RequestFuzzTest::judge);
    }

    private static void judge(String text) {
        try (var emulator = new HandledRequests()) {
            StatusException refused = null;
            try {
                check(emulator.answer(text));
            } catch (StatusException refusal) {
                refused = refusal;
                assertThat(REFUSALS).contains(refusal.status());
                check(WireResponse.error(refusal, "id"));
            }
            READS.forEach(read -> readAgain(emulator, read));
            if (refused != null) {
                throw refused;
            }
        }
    }

    /** Its container may be gone, or have lost its index; nothing else. */
    private static void readAgain(HandledRequests emulator, String read) {
        try {
            check(emulator.answer(read));
        } catch (StatusException refusal) {
            assertThat(refusal.status()).as(read).isEqualTo(404);
        }
    }

    private static void check(WireResponse answer) {
        int status = answer.status();
        assertThat(status < 400 || REFUSALS.contains(status))
                .as("status %d", status)
                .isTrue();
        if (answer.body().length > 0 && answer.contentType().equals("application/json")) {
            var body = Json.readValue(answer.body());
            if (status >= 400) {
                assertThat(body.path("code").asText()).isNotEmpty();
                assertThat(body.path("message").asText()).doesNotContain("java.", "Exception", "fasterxml");
            }
            body.forEach(RequestFuzzTest::checkOperation);
        }
    }

    /** Of a batch. */
    private static void checkOperation(JsonNode operation) {
        if (operation.path("statusCode").isInt()) {
            int status = operation.path("statusCode").intValue();
            assertThat(status < 400 || REFUSALS.contains(status))
                    .as("operation %s", operation)
                    .isTrue();
        }
    }
}
