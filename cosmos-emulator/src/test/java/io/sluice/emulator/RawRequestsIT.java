package io.sluice.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.ComputedProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.binary.BinaryJson;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What no SDK would send is refused with a message, and never brings a stack trace back. */
class RawRequestsIT {
    private static final String DATE = "thu, 01 jan 2026 00:00:00 gmt";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @RegisterExtension
    static final RunningEmulator EMULATOR = RunningEmulator.inMemory();

    private static String docs = "";

    @BeforeAll
    static void makeContainer() {
        docs = "dbs/tests/colls/" + EMULATOR.container().getId() + "/docs";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[1,2",
                "[]",
                "1",
                "null",
                "\"text\"",
                "{\"id\":1}",
                "{\"id\":\"\"}",
                "{} {}",
                "{\"pk\":\"a\"}",
                "{\"id\":\"1\",\"pk\":{}}",
                "{\"id\":\"1\",\"pk\":[1]}",
                "{\"id\":\"1\",\"pk\":\"a\",\"n\":1e999}"
            })
    void a_document_that_is_none_is_refused(String body) throws Exception {
        assertBadRequest(post(docs, body, Map.of("x-ms-documentdb-partitionkey", "[\"a\"]")));
    }

    @Test
    void a_document_nested_too_deep_is_refused() throws Exception {
        var body = "{\"id\":\"1\",\"pk\":\"a\",\"deep\":" + "[".repeat(5000) + "]".repeat(5000) + "}";

        assertBadRequest(post(docs, body, Map.of("x-ms-documentdb-partitionkey", "[\"a\"]")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "\"a\"", "[", "[[1]]", "[{\"a\":1}]", "[\"a\",\"b\"]", "[]"})
    void a_partition_key_that_is_none_is_refused(String header) throws Exception {
        assertBadRequest(post(docs, "{\"id\":\"1\",\"pk\":\"a\"}", Map.of("x-ms-documentdb-partitionkey", header)));
    }

    @Test
    void a_write_without_partition_key_is_refused() throws Exception {
        assertBadRequest(post(docs, "{\"id\":\"1\",\"pk\":\"a\"}", Map.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "[1]",
                "[{}]",
                "[{\"operationType\":\"Burn\",\"id\":\"1\"}]",
                "[{\"operationType\":\"Create\"}]",
                "[{\"operationType\":\"Read\"}]",
                "[{\"operationType\":\"Create\",\"resourceBody\":[]}]",
                "not json"
            })
    void a_batch_that_is_none_is_refused(String body) throws Exception {
        var headers = Map.of(
                "x-ms-documentdb-partitionkey", "[\"a\"]",
                "x-ms-cosmos-is-batch-request", "true",
                "x-ms-cosmos-batch-atomic", "true");

        assertBadRequest(post(docs, body, headers));
    }

    @Test
    void a_batch_that_names_a_partition_key_and_does_not_say_atomic_is_one_transaction() throws Exception {
        var headers = Map.of("x-ms-documentdb-partitionkey", "[\"t\"]", "x-ms-cosmos-is-batch-request", "True");
        var create = "{\"operationType\":\"create\",\"resourceBody\":{\"id\":\"%s\",\"pk\":\"t\"}}";
        var missing = "{\"operationType\":\"delete\",\"id\":\"none\"}";

        var refused = post(docs, "[" + create.formatted("one") + "," + missing + "]", headers);
        var made = post(docs, "[" + create.formatted("one") + "," + create.formatted("two") + "]", headers);

        assertThat(refused.statusCode()).isEqualTo(207);
        assertThat(json(refused).findValuesAsText("statusCode")).containsExactly("424", "404");
        assertThat(made.statusCode()).as("nothing of the first was kept").isEqualTo(200);
        assertThat(EMULATOR.emulator().requests().matching(request -> request.operation() == RequestKind.BATCH))
                .filteredOn(request -> "[\"t\"]".equals(request.partitionKey()))
                .as("logged as transactions")
                .hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"False", "no"})
    void a_batch_that_says_it_is_no_transaction_must_name_a_range(String atomic) throws Exception {
        var headers = Map.of(
                "x-ms-documentdb-partitionkey", "[\"t\"]",
                "x-ms-cosmos-is-batch-request", "True",
                "x-ms-cosmos-batch-atomic", atomic);

        assertBadRequest(post(docs, "[{\"operationType\":\"Read\",\"id\":\"1\"}]", headers));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"query\":1}",
                "{\"query\":\"SELECT\"}",
                "{\"query\":\"SELECT * FROM c\",\"parameters\":[{}]}",
                "{\"query\":\"SELECT * FROM c\",\"parameters\":[{\"name\":\"@a\"}]}",
                "nothing"
            })
    void a_query_that_is_none_is_refused(String body) throws Exception {
        var headers = Map.of("x-ms-documentdb-isquery", "true", "x-ms-documentdb-partitionkey", "[\"a\"]");

        assertBadRequest(post(docs, body, headers));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dbs", "dbs/tests/colls", "offers"})
    void a_query_that_fails_on_a_list_is_refused(String list) throws Exception {
        var body = "{\"query\":\"SELECT VALUE 1 / @p\",\"parameters\":[{\"name\":\"@p\",\"value\":0}]}";

        assertBadRequest(post(list, body, Map.of("x-ms-documentdb-isquery", "true")));
    }

    @Test
    void what_stands_behind_a_document_is_refused_without_naming_classes() throws Exception {
        var answer = post(docs, "{} \"x\"", Map.of("x-ms-documentdb-partitionkey", "[\"a\"]"));

        assertBadRequest(answer);
        assertThat(answer.body()).doesNotContain("fasterxml");
    }

    @ParameterizedTest
    @CsvSource({
        "x-ms-continuation,junk",
        "x-ms-continuation,{}",
        "x-ms-max-item-count,many",
        "x-ms-session-token,junk",
        "x-ms-session-token,0:a#b"
    })
    void a_header_that_can_not_be_read_is_refused(String name, String value) throws Exception {
        var headers =
                Map.of("x-ms-documentdb-isquery", "true", "x-ms-documentdb-partitionkeyrangeid", "0", name, value);

        assertBadRequest(post(docs, "{\"query\":\"SELECT * FROM c\"}", headers));
    }

    @ParameterizedTest
    @CsvSource({
        "If-None-Match,junk",
        "If-None-Match,-1",
        "If-Modified-Since,yesterday",
        "A-IM,Full-Fidelity Feed",
        "A-IM,Nonsense"
    })
    void a_change_feed_position_that_is_none_is_refused(String name, String value) throws Exception {
        var headers = new HashMap<>(Map.of("A-IM", "Incremental Feed", "x-ms-documentdb-partitionkeyrangeid", "0"));
        headers.put(name, value);

        assertBadRequest(send("GET", docs, "", headers));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SELECT VALUE COUNT(1) FROM c                                             | 0
            SELECT VALUE COUNT(1) FROM c WHERE c.n < 7 AND STARTSWITH(c.id, 'item')  | 0
            SELECT VALUE COUNT(1) FROM c WHERE c.n % 2 = 0                           | 20
            SELECT VALUE COUNT(1) FROM c WHERE c.n < 7 AND c.n % 2 = 0               | 20
            SELECT VALUE COUNT(c.other) FROM c                                       | 20
            SELECT VALUE SUM(c.n) FROM c                                             | 20
            SELECT VALUE COUNT(1) FROM c WHERE c.cp = 7                              | 20
            """)
    void a_count_that_indexes_answer_reads_no_document(String query, int read) throws Exception {
        var container = computing("SELECT VALUE c.n FROM c");
        for (int i = 0; i < 20; i++) {
            container.createItem(Clients.item("a", "item-" + i).put("n", i));
        }

        var answer = post(
                "dbs/tests/colls/" + container.getId() + "/docs",
                Json.object().put("query", query).toString(),
                Map.of(
                        "Content-Type", "application/query+json",
                        "x-ms-documentdb-partitionkey", "[\"a\"]",
                        "x-ms-documentdb-populatequerymetrics", "True"));

        assertThat(answer.headers().firstValue("x-ms-documentdb-query-metrics").orElse("none"))
                .contains("retrievedDocumentCount=" + read + ";");
    }

    @Test
    void the_explorer_queries_computed_properties() throws Exception {
        var container = computing("SELECT VALUE c.n + 1 FROM c");
        container.createItem(Clients.item("a", "1").put("n", 6));

        var answer = post(
                "_emulator/dbs/tests/colls/" + container.getId() + "/query",
                "{\"query\":\"SELECT c.cp FROM c WHERE c.cp = 7\"}",
                Map.of("Content-Type", "application/query+json", "x-emulator-control", "true"));

        assertThat(json(answer).path("documents").findValuesAsText("cp")).containsExactly("7");
    }

    private static CosmosContainer computing(String query) {
        return EMULATOR.container(
                properties -> properties.setComputedProperties(List.of(new ComputedProperty("cp", query))));
    }

    @Test
    void a_continuation_of_a_sorted_query_may_be_read_again_after_the_end() throws Exception {
        var container = EMULATOR.container();
        for (int i = 0; i < 9; i++) {
            container.createItem(Clients.item("fixed", "item-" + i));
        }
        var items = "dbs/tests/colls/" + container.getId() + "/docs";
        var key = "0031A49D54450F2B4D0DFE53145ABB58"; // where it lies in the key space
        var byRange =
                Map.of("x-ms-documentdb-partitionkeyrangeid", "0", "x-ms-start-epk", key, "x-ms-end-epk", key + "FF");
        var byKey = Map.of("x-ms-documentdb-partitionkey", "[\"fixed\"]");

        var first = sortedPage(items, byRange, null);
        var continuation = first.headers().firstValue("x-ms-continuation").orElseThrow();
        var second = sortedPage(items, byRange, continuation);
        assertThat(second.headers().firstValue("x-ms-continuation")).isEmpty();

        for (var addressed : List.of(byRange, byKey)) {
            assertThat(json(sortedPage(items, addressed, continuation)).path("Documents"))
                    .isEqualTo(json(second).path("Documents"))
                    .hasSize(4);
        }
    }

    private HttpResponse<String> sortedPage(String items, Map<String, String> slice, @Nullable String continuation)
            throws Exception {
        var headers = new HashMap<>(Map.of(
                "Content-Type", "application/query+json",
                "x-ms-documentdb-query-enablecrosspartition", "True",
                "x-ms-max-item-count", "5"));
        headers.putAll(slice);
        if (continuation != null) {
            headers.put("x-ms-continuation", continuation);
        }
        return post(items, "{\"query\":\"SELECT * FROM c ORDER BY c.id\"}", headers);
    }

    @Test
    void paths_of_a_policy_that_are_null_are_those_by_default() throws Exception {
        var made = post("dbs/tests/colls", """
                {"id":"nulls","partitionKey":{"paths":["/pk"],"kind":"Hash"},\
                "indexingPolicy":{"includedPaths":null,"excludedPaths":null}}""", Map.of());

        assertThat(json(made).path("indexingPolicy").path("excludedPaths")).hasSize(1);
    }

    @Test
    void ranges_are_split_and_merged_by_control() throws Exception {
        var container = "_emulator/dbs/tests/colls/" + EMULATOR.container().getId();
        var control = Map.of("x-emulator-control", "true");

        var halves = send("POST", container + "/split", "{\"range\":\"3\"}", control);
        var forbidden = send("POST", container + "/split", "{\"range\":\"2\"}", Map.of());
        var again = send("POST", container + "/split", "{\"range\":\"3\"}", control);
        var merged = send("POST", container + "/merge", "{\"ranges\":[\"4\",\"5\"]}", control);
        var listed = send("GET", container + "/ranges", "", Map.of());

        assertThat(json(halves).path("ranges").findValuesAsText("id")).containsExactly("4", "5");
        assertThat(forbidden.statusCode()).isEqualTo(403);
        assertThat(again.statusCode()).isEqualTo(410);
        assertThat(json(merged).path("ranges").findValuesAsText("id")).containsExactly("6");
        assertThat(json(listed).path("ranges").findValuesAsText("id")).containsExactly("0", "1", "2", "6");
    }

    @ParameterizedTest
    @CsvSource({
        "POST,split,{},400",
        "POST,split,{\"range\":\"77\"},410",
        "POST,merge,{\"ranges\":[]},400",
        "POST,merge,'{\"ranges\":[\"0\",\"2\"]}',400",
        "POST,limit,{},400",
        "POST,limit,{\"requestUnitsPerSecond\":-1},400",
        "POST,nonsense,{},404",
        "GET,split,{},404"
    })
    void a_control_that_is_none_is_refused(String method, String name, String body, int status) throws Exception {
        var control = Map.of("x-emulator-control", "true");

        var answer = send(method, "_emulator/" + docs.replace("docs", name), body, control);

        assertThat(answer.statusCode()).isEqualTo(status);
    }

    @Test
    void a_body_of_many_megabytes_is_cut_off() throws Exception {
        var body = "{\"id\":\"1\",\"pk\":\"a\",\"text\":\"" + "x".repeat(8 * 1024 * 1024) + "\"}";

        var answer = post(docs, body, Map.of("x-ms-documentdb-partitionkey", "[\"a\"]"));

        assertThat(answer.statusCode()).isEqualTo(413);
    }

    @ParameterizedTest
    @CsvSource({"a/b, a%2Fb, 401", "a\\b, a%5Cb, 401", "a#b, a%23b, 401", "'a ', a%20, 401", "a?b, a%3Fb, 200"})
    void some_ids_fit_into_no_path_and_their_items_have_self_links(String id, String escaped, int status)
            throws Exception {
        var key = Map.of("x-ms-documentdb-partitionkey", "[\"paths\"]");
        var made =
                json(post(docs, Json.object().put("id", id).put("pk", "paths").toString(), key));

        assertThat(sendSigned("GET", docs + "/" + escaped, docs + "/" + id, key).statusCode())
                .isEqualTo(status);
        var self = made.path("_self").asText().replaceAll("/$", "");
        assertThat(json(send("GET", self, "", key)).path("id").asText()).isEqualTo(id);
        assertThat(send("DELETE", self, "", key).statusCode()).isEqualTo(204);
    }

    @Test
    void an_index_is_automatic_unless_there_is_none() throws Exception {
        assertThat(madeWith("{\"automatic\":false,\"indexingMode\":\"consistent\"}")
                        .path("automatic")
                        .booleanValue())
                .isTrue();
        assertThat(madeWith("{\"automatic\":false,\"indexingMode\":\"none\"}")
                        .path("automatic")
                        .booleanValue())
                .isFalse();
    }

    private static JsonNode madeWith(String indexingPolicy) throws Exception {
        var body = "{\"id\":\"" + UUID.randomUUID() + "\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"indexingPolicy\":"
                + indexingPolicy + "}";
        return json(post("dbs/tests/colls", body, Map.of())).path("indexingPolicy");
    }

    @Test
    void a_time_to_live_of_null_is_refused() throws Exception {
        assertBadRequest(post(
                docs, "{\"id\":\"1\",\"pk\":\"a\",\"ttl\":null}", Map.of("x-ms-documentdb-partitionkey", "[\"a\"]")));
    }

    @Test
    void a_document_is_as_large_as_it_was_sent() throws Exception {
        var escaped = "\\u4e00".repeat(400_000);

        var answer = post(
                docs,
                "{\"id\":\"1\",\"pk\":\"a\",\"text\":\"" + escaped + "\"}",
                Map.of("x-ms-documentdb-partitionkey", "[\"a\"]"));

        assertThat(answer.statusCode()).isEqualTo(413);
    }

    @Test
    void a_container_has_no_conflicts() throws Exception {
        var conflicts = docs.replaceAll("docs$", "conflicts");

        assertThat(json(send("GET", conflicts, "", Map.of())).path("Conflicts")).isEmpty();
        assertThat(json(post(
                                conflicts,
                                "{\"query\":\"SELECT * FROM c\"}",
                                Map.of(
                                        "Content-Type",
                                        "application/query+json",
                                        "x-ms-documentdb-query-enablecrosspartition",
                                        "true")))
                        .path("_count")
                        .asInt(-1))
                .isZero();
        assertThat(send("GET", conflicts + "/c", "", Map.of()).statusCode()).isEqualTo(404);
    }

    @Test
    void items_are_written_and_read_as_binary_json() throws Exception {
        var item = Json.object().put("id", "binary").put("pk", "b").put("text", "ü".repeat(300));
        item.putArray("list").add(1).add(-1_000_000).add(0.5).addNull().add(true);
        var key = Map.of("x-ms-documentdb-partitionkey", "[\"b\"]");
        var takesBinary = Map.of(
                "x-ms-documentdb-partitionkey",
                "[\"b\"]",
                "x-ms-cosmos-supported-serialization-formats",
                "CosmosBinary");

        var made = sendBytes("POST", docs, BinaryJson.write(item), takesBinary);
        var asBinary = sendBytes("GET", docs + "/binary", new byte[0], takesBinary);
        var asText = sendBytes("GET", docs + "/binary", new byte[0], key);
        var refused = sendBytes("POST", docs, BinaryJson.write(item), takesBinary);

        assertThat(made.statusCode()).isEqualTo(201);
        assertThat(BinaryJson.read(made.body()).path("_etag").isTextual()).isTrue();
        assertThat(BinaryJson.isBinary(asBinary.body())).isTrue();
        assertThat(BinaryJson.read(asBinary.body())).isEqualTo(Json.readValue(asText.body()));
        assertThat(Json.readValue(asText.body()).path("list")).isEqualTo(item.path("list"));
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(Json.readValue(refused.body()).path("code").asText()).isEqualTo("Conflict");
    }

    @Test
    void results_of_a_query_are_binary_json_where_they_may_be() throws Exception {
        post(
                docs,
                "{\"id\":\"1\",\"pk\":\"binary results\"}",
                Map.of("x-ms-documentdb-partitionkey", "[\"binary results\"]"));

        var page = sendBytes(
                "POST",
                docs,
                Json.bytes(Json.object().put("query", "SELECT c.id FROM c WHERE c.pk = 'binary results'")),
                Map.of(
                        "Content-Type",
                        "application/query+json",
                        "x-ms-cosmos-supported-serialization-formats",
                        "JsonText,CosmosBinary"));

        assertThat(BinaryJson.read(page.body())
                        .path("Documents")
                        .path(0)
                        .path("id")
                        .asText())
                .isEqualTo("1");
    }

    @Test
    void a_damaged_binary_body_is_refused() throws Exception {
        var refused = sendBytes(
                "POST", docs, new byte[] {(byte) 0x80, (byte) 0xFF}, Map.of("x-ms-documentdb-partitionkey", "[\"b\"]"));

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(new String(refused.body(), StandardCharsets.UTF_8)).contains("no value begins with FF, at byte 1");
    }

    private static HttpResponse<byte[]> sendBytes(String method, String path, byte[] body, Map<String, String> headers)
            throws Exception {
        var request = HttpRequest.newBuilder(URI.create(EMULATOR.emulator().endpoint() + path))
                .method(method, BodyPublishers.ofByteArray(body))
                .header("x-ms-date", DATE)
                .header("authorization", signature(method, path));
        headers.forEach(request::header);
        return HTTP.send(request.build(), BodyHandlers.ofByteArray());
    }

    @Test
    void a_full_page_of_items_in_no_order_is_followed_by_an_empty_one() throws Exception {
        var key = Map.of("x-ms-documentdb-partitionkey", "[\"full\"]");
        for (int i = 0; i < 4; i++) {
            post(docs, "{\"id\":\"" + i + "\",\"pk\":\"full\"}", key);
        }

        assertThat(pages("SELECT * FROM c WHERE c.pk = 'full'", 2)).containsExactly(2, 2, 0);
        assertThat(pages("SELECT * FROM c WHERE c.pk = 'full'", 3)).containsExactly(3, 1);
        assertThat(pages("SELECT * FROM c WHERE c.pk = 'full' ORDER BY c.id", 2))
                .containsExactly(2, 2);
        assertThat(pages("SELECT TOP 2 * FROM c WHERE c.pk = 'full'", 2)).containsExactly(2);
    }

    /** The sizes of the pages of a query. */
    private static List<Integer> pages(String query, int size) throws Exception {
        var sizes = new ArrayList<Integer>();
        Optional<String> continuation = Optional.of("");
        while (continuation.isPresent()) {
            var answer = post(
                    docs,
                    Json.object().put("query", query).toString(),
                    Map.of(
                            "Content-Type",
                            "application/query+json",
                            "x-ms-max-item-count",
                            "" + size,
                            "x-ms-continuation",
                            continuation.get()));
            sizes.add(json(answer).path("_count").asInt());
            continuation = answer.headers().firstValue("x-ms-continuation");
        }
        return sizes;
    }

    @ParameterizedTest
    @ValueSource(strings = {"a%0Db", "a%00", "a%7F"})
    void a_path_with_a_control_character_is_refused(String escaped) throws Exception {
        var key = Map.of("x-ms-documentdb-partitionkey", "[\"a\"]");

        assertBadRequest(sendSigned("GET", docs + "/" + escaped, docs + "/a", key));
    }

    @Test
    void a_self_link_names_an_item_and_its_id_does_not_where_the_container_is_named_so() throws Exception {
        var key = Map.of("x-ms-documentdb-partitionkey", "[\"self\"]");
        var made = json(post(docs, "{\"id\":\"own\",\"pk\":\"self\"}", key));
        var self = made.path("_self").asText().replaceAll("/$", "");
        var container = self.substring(0, self.lastIndexOf('/'));
        var elsewhere = Map.of("x-ms-documentdb-partitionkey", "[\"other\"]");

        assertThat(json(send("GET", self, "", key)).path("id").asText()).isEqualTo("own");
        assertThat(send("GET", container + "/own", "", key).statusCode()).isEqualTo(404);
        assertThat(send("GET", self, "", elsewhere).statusCode()).isEqualTo(404);
        assertThat(send("GET", docs + "/" + made.path("_rid").asText(), "", key).statusCode())
                .isEqualTo(404);
        assertThat(send("DELETE", self, "", key).statusCode()).isEqualTo(204);
        assertThat(send("GET", self, "", key).statusCode()).isEqualTo(404);
    }

    private static void assertBadRequest(HttpResponse<String> answer) throws Exception {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(json(answer).path("code").asText()).isEqualTo("BadRequest");
        assertThat(json(answer).path("message").asText()).isNotEmpty().doesNotContain("Exception");
    }

    private static JsonNode json(HttpResponse<String> answer) throws Exception {
        return new ObjectMapper().readTree(answer.body());
    }

    private static HttpResponse<String> post(String path, String body, Map<String, String> headers) throws Exception {
        return send("POST", path, body, headers);
    }

    /** A request without a body whose signature covers another path. */
    private static HttpResponse<String> sendSigned(
            String method, String path, String signed, Map<String, String> headers) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(EMULATOR.emulator().endpoint() + path))
                .method(method, BodyPublishers.noBody())
                .header("x-ms-date", DATE)
                .header("authorization", signature(method, "docs", signed));
        headers.forEach(request::header);
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> send(String method, String path, String body, Map<String, String> headers)
            throws Exception {
        var request = HttpRequest.newBuilder(URI.create(EMULATOR.emulator().endpoint() + path))
                .method(method, BodyPublishers.ofString(body))
                .header("x-ms-date", DATE)
                .header("authorization", signature(method, path));
        headers.forEach(request::header);
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }

    private static String signature(String method, String path) throws Exception {
        var segments = path.split("/", -1);
        boolean feed = segments.length % 2 == 1;
        var type = feed ? segments[segments.length - 1] : segments[segments.length - 2];
        int end = path.lastIndexOf('/');
        return signature(method, type, !feed ? path : end < 0 ? "" : path.substring(0, end));
    }

    private static String signature(String method, String type, String link) throws Exception {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(
                new SecretKeySpec(Base64.getDecoder().decode(EMULATOR.emulator().key()), "HmacSHA256"));
        var payload = method.toLowerCase(Locale.ROOT) + "\n" + type + "\n" + link + "\n" + DATE + "\n\n";
        var signed = Base64.getEncoder().encodeToString(mac.doFinal(payload.getBytes(StandardCharsets.UTF_8)));
        return URLEncoder.encode("type=master&ver=1.0&sig=" + signed, StandardCharsets.UTF_8);
    }
}
