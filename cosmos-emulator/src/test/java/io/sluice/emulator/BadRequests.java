package io.sluice.emulator;

import static io.sluice.emulator.RandomText.flipped;
import static io.sluice.emulator.RandomText.mutated;
import static io.sluice.emulator.RandomText.pick;

import io.sluice.emulator.conformance.QueryTable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Draws requests that are wrong, or right by accident. */
final class BadRequests {
    private static final int GIANT_BYTES = 6 * 1024 * 1024;
    private static final Map<String, String> KEY = Map.of("x-ms-documentdb-partitionkey", "[\"a\"]");
    private static final List<String> QUERIES =
            QueryTable.cases().stream().map(QueryTable.Case::query).toList();

    private final String docs;

    BadRequests(String docs) {
        this.docs = docs;
    }

    /** Their faults. */
    enum Kind {
        HTTP,
        BODY,
        AUTHORIZATION,
        SESSION_TOKEN,
        CONTINUATION,
        PARTITION_KEY,
        KEY_RANGE,
        HEADER,
        PATH,
        SQL,
        GIANT;

        boolean mayCloseConnection() {
            return this == HTTP || this == GIANT;
        }

        /** Of those that are slow there are fewer. */
        int casesOf(int cases) {
            return this == GIANT ? Math.max(1, cases / 100) : cases;
        }
    }

    byte[] draw(Kind kind, SplittableRandom random, String key) {
        return switch (kind) {
            case HTTP -> BrokenHttp.draw(any(random).bytes(key), random);
            case BODY -> body(random).bytes(key);
            case AUTHORIZATION ->
                read().with("authorization", authorization(random, key)).bytes(key);
            case SESSION_TOKEN ->
                any(random)
                        .with("x-ms-session-token", mutated(random, "0:0#5#1=5,1:0#7#1=7"))
                        .bytes(key);
            case CONTINUATION -> continuation(random).bytes(key);
            case PARTITION_KEY ->
                any(random)
                        .with(
                                "x-ms-documentdb-partitionkey",
                                mutated(
                                        random,
                                        pick(
                                                random,
                                                "[\"a\"]",
                                                "[1]",
                                                "[{}]",
                                                "[null,true]",
                                                "[1e999]",
                                                "[\"\\u0000\"]")))
                        .bytes(key);
            case KEY_RANGE -> keyRange(random).bytes(key);
            case HEADER -> header(random).bytes(key);
            case PATH -> path(random).bytes(key);
            case SQL ->
                query(mutated(random, QUERIES.get(random.nextInt(QUERIES.size()))))
                        .bytes(key);
            case GIANT -> giant(random).bytes(key);
        };
    }

    private RawRequest read() {
        return RawRequest.of("GET", docs + "/item-1", KEY, "");
    }

    private RawRequest query(String sql) {
        return RawRequest.of(
                "POST",
                docs,
                Map.of("x-ms-documentdb-isquery", "true", "x-ms-documentdb-partitionkey", "[\"a\"]"),
                "{\"query\": " + quoted(sql) + "}");
    }

    private RawRequest feed() {
        return RawRequest.of(
                "GET", docs, Map.of("A-IM", "Incremental Feed", "x-ms-documentdb-partitionkeyrangeid", "0"), "");
    }

    private RawRequest batch(String body) {
        return RawRequest.of(
                "POST",
                docs,
                Map.of(
                        "x-ms-documentdb-partitionkey",
                        "[\"a\"]",
                        "x-ms-cosmos-is-batch-request",
                        "true",
                        "x-ms-cosmos-batch-atomic",
                        "true"),
                body);
    }

    private RawRequest any(SplittableRandom random) {
        return switch (random.nextInt(6)) {
            case 0 -> read();
            case 1 -> query("SELECT * FROM c");
            case 2 -> feed();
            case 3 -> batch("[{\"operationType\":\"Read\",\"id\":\"item-1\"}]");
            case 4 ->
                RawRequest.of(
                        "POST",
                        docs,
                        Map.of("x-ms-documentdb-partitionkey", "[\"a\"]", "x-ms-documentdb-is-upsert", "true"),
                        "{\"id\":\"u\",\"pk\":\"a\"}");
            default ->
                RawRequest.of(
                        "PATCH",
                        docs + "/item-1",
                        KEY,
                        "{\"operations\":[{\"op\":\"incr\",\"path\":\"/n\",\"value\":1}]}");
        };
    }

    private RawRequest body(SplittableRandom random) {
        var control = new HashMap<>(KEY);
        var good = pick(
                random,
                "{\"id\":\"b\",\"pk\":\"a\",\"n\":[1,{\"x\":null}],\"ttl\":5}",
                "{\"operations\":[{\"op\":\"set\",\"path\":\"/a/0\",\"value\":{}},{\"op\":\"move\",\"from\":\"/n\",\"path\":\"/m\"}],\"condition\":\"FROM c WHERE c.n > 0\"}",
                "[{\"operationType\":\"Upsert\",\"resourceBody\":{\"id\":\"b\",\"pk\":\"a\"},\"ifMatch\":\"x\"},{\"operationType\":\"Patch\",\"id\":\"b\",\"resourceBody\":{\"operations\":[]}}]",
                "{\"query\":\"SELECT * FROM c WHERE c.a = @a\",\"parameters\":[{\"name\":\"@a\",\"value\":1}]}",
                "{\"id\":\"made\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2},\"indexingPolicy\":{\"compositeIndexes\":[[{\"path\":\"/a\",\"order\":\"ascending\"}]]},\"uniqueKeyPolicy\":{\"uniqueKeys\":[{\"paths\":[\"/m\"]}]},\"defaultTtl\":-1}",
                "{\"range\":\"0\",\"ranges\":[\"0\",\"1\"],\"content\":{\"offerThroughput\":400}}");
        var target = switch (random.nextInt(10)) {
            case 0 -> RawRequest.of("POST", "dbs", control, "");
            case 1 -> RawRequest.of("POST", "dbs/tests/colls", control, "");
            case 2 -> RawRequest.of("PUT", docs + "/item-1", control, "");
            case 3 -> RawRequest.of("PATCH", docs + "/item-1", control, "");
            case 4 -> batch("");
            case 5 -> query("");
            case 6 ->
                RawRequest.of(
                        "POST",
                        docs,
                        Map.of("x-ms-cosmos-is-query-plan-request", "True", "content-type", "application/query+json"),
                        "");
            case 7 ->
                RawRequest.of(
                        "POST",
                        docs,
                        Map.of(
                                "x-ms-documentdb-partitionkeyrangeid",
                                "0",
                                "x-ms-cosmos-is-batch-request",
                                "true",
                                "x-ms-cosmos-batch-continue-on-error",
                                "true"),
                        "");
            case 8 ->
                RawRequest.of(
                        "POST",
                        "_emulator/" + docs.replace("/docs", "/query"),
                        Map.of("x-emulator-control", "true"),
                        "");
            default -> RawRequest.of("POST", docs, control, "");
        };
        return target.withBody(broken(random, good));
    }

    /**
     * JSON that is cut off, nested 10 000 deep, with a key twice, not UTF-8, with numbers beyond all bounds, or changed
     * anywhere.
     */
    private static byte[] broken(SplittableRandom random, String good) {
        var inner = good.startsWith("{") ? good.substring(1) : good;
        return switch (random.nextInt(8)) {
            case 0 -> good.substring(0, random.nextInt(good.length())).getBytes(StandardCharsets.UTF_8);
            case 1 -> ("{\"deep\":" + pick(random, "[", "{\"a\":").repeat(10_000)).getBytes(StandardCharsets.UTF_8);
            case 2 ->
                ("{\"deep\":" + "[".repeat(10_000) + "]".repeat(10_000) + "," + inner).getBytes(StandardCharsets.UTF_8);
            case 3 -> ("{\"id\":\"first\",\"pk\":\"z\"," + inner).getBytes(StandardCharsets.UTF_8);
            case 4 ->
                ("{\"big\":"
                                + pick(
                                        random,
                                        "1e999",
                                        "-1e999",
                                        "1" + "0".repeat(400),
                                        "1".repeat(2_000),
                                        "1e-999",
                                        "0." + "3".repeat(900),
                                        "1E+2147483647",
                                        "1e99999999999")
                                + "," + inner)
                        .getBytes(StandardCharsets.UTF_8);
            case 5 -> flipped(random, good.getBytes(StandardCharsets.UTF_8), (byte) random.nextInt(128, 256));
            case 6 ->
                ("{\"text\":\"" + pick(random, "\\ud800", "\\udc00\\ud800", "\u0000", "\\u0000", "\\uZZZZ", "\n")
                                + "\"," + inner)
                        .getBytes(StandardCharsets.UTF_8);
            default -> mutated(random, good).getBytes(StandardCharsets.UTF_8);
        };
    }

    private static String authorization(SplittableRandom random, String key) {
        var bytes = new String(RawRequest.of("GET", "dbs", Map.of(), "").bytes(key), StandardCharsets.UTF_8);
        int at = bytes.indexOf("authorization: ") + "authorization: ".length();
        return mutated(random, bytes.substring(at, bytes.indexOf('\r', at)));
    }

    private RawRequest continuation(SplittableRandom random) {
        if (random.nextBoolean()) {
            var position = pick(random, "\"5\"", "5", "*", "99999999999999999999", "-1", "1.5", "\"\"");
            return feed().with("A-IM", pick(random, "Incremental Feed", "Full-Fidelity Feed"))
                    .with("If-None-Match", mutated(random, position));
        }
        var token = pick(
                random,
                "{\"pending\":[[\"\",\"FF\",0,0]]}",
                "{\"kept\":[\"a\",\"\",\"FF\"],\"pending\":[[\"\",\"3F\",5,2],[\"3F\",\"FF\",9223372036854775807,2147483647]]}",
                "{\"pending\":[[\"FF\",\"\",-5,0]]}",
                "{\"pending\":[[\"05\",\"05\",1,1]]}");
        return query(pick(random, "SELECT * FROM c", "SELECT * FROM c ORDER BY c.n", "SELECT VALUE COUNT(1) FROM c"))
                .with("x-ms-documentdb-partitionkey", random.nextBoolean() ? "[\"a\"]" : "")
                .with("x-ms-documentdb-partitionkeyrangeid", random.nextBoolean() ? "0" : "")
                .with("x-ms-documentdb-query-enablecrosspartition", "true")
                .with("x-ms-continuation", random.nextInt(4) == 0 ? token : mutated(random, token));
    }

    private RawRequest keyRange(SplittableRandom random) {
        var request =
                random.nextBoolean() ? query(pick(random, "SELECT * FROM c", "SELECT * FROM c ORDER BY c.n")) : feed();
        return request.with("x-ms-documentdb-partitionkey", "")
                .with("x-ms-documentdb-query-enablecrosspartition", "true")
                .with(
                        "x-ms-documentdb-partitionkeyrangeid",
                        pick(random, "", "0", "3", "4", "-1", "a", "0,1", ",", "x,0", "\u00e9"))
                .with("x-ms-start-epk", effectiveKey(random))
                .with("x-ms-end-epk", effectiveKey(random))
                .with("x-ms-read-key-type", "EffectivePartitionKeyRange");
    }

    private static String effectiveKey(SplittableRandom random) {
        var digits = new StringBuilder();
        for (int i = random.nextInt(40); i > 0; i--) {
            digits.append(Integer.toHexString(random.nextInt(16)));
        }
        return switch (random.nextInt(5)) {
            case 0 -> "";
            case 1 -> "FF";
            case 2 -> "g" + digits + "\u00ff";
            case 3 -> digits.toString();
            default -> digits.toString().toUpperCase(java.util.Locale.ROOT);
        };
    }

    private RawRequest header(SplittableRandom random) {
        var request = any(random);
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            var name = pick(
                    random,
                    "x-ms-max-item-count",
                    "x-ms-documentdb-is-upsert",
                    "x-ms-documentdb-isquery",
                    "x-ms-cosmos-is-query-plan-request",
                    "x-ms-cosmos-is-batch-request",
                    "x-ms-cosmos-batch-atomic",
                    "If-Match",
                    "If-None-Match",
                    "If-Modified-Since",
                    "A-IM",
                    "x-ms-cosmos-changefeed-wire-format-version",
                    "x-ms-cosmos-intended-collection-rid",
                    "x-ms-date",
                    "Prefer",
                    "content-type",
                    "x-ms-activity-id",
                    "x-ms-offer-throughput",
                    "x-ms-cosmos-offer-autopilot-settings",
                    "x-ms-version",
                    "x-ms-consistency-level",
                    "x-ms-documentdb-partitionkeyrangeid",
                    "host",
                    "accept",
                    "x-emulator-control");
            var value = pick(
                    random,
                    "",
                    "true",
                    "True",
                    "-1",
                    "0",
                    "2147483648",
                    "99999999999999999999",
                    "1e3",
                    "[]",
                    "{}",
                    "{\"maxThroughput\":\"x\"}",
                    "Thu, 01 Jan 1970 00:00:00 GMT",
                    "Sat, 31 Feb 2026 99:00:00 GMT",
                    "\"\"",
                    "*",
                    "\u00e9\u4e2d",
                    "x".repeat(5_000),
                    "application/query+json",
                    "return=minimal",
                    "localhost",
                    "a,b;c=\"d");
            request = request.with(name, random.nextBoolean() ? value : mutated(random, value));
        }
        return request;
    }

    private RawRequest path(SplittableRandom random) {
        var odd = pick(
                random,
                "..",
                ".",
                "%2e%2e",
                "%2F",
                "%2f..%2f",
                "%00",
                "a%00b",
                "%",
                "%zz",
                "%e2%28%a1",
                "%ff",
                "%ED%A0%80",
                "a b".replace(' ', '+'),
                "x".repeat(2_000),
                "\u00e9",
                "%u0041",
                "~",
                ";a=b",
                "'",
                "\"",
                "<script>",
                "{}",
                "\\..\\",
                "%5c",
                "%23",
                "%3f",
                "$batch",
                "_emulator",
                "health",
                "dbs",
                "colls",
                "docs",
                "pkranges",
                "offers",
                "sprocs",
                "users",
                "");
        var changed = Arrays.asList(
                (docs + pick(random, "", "/item-1", "/item-1/attachments", "/item-1/docs/x")).split("/", -1));
        int at = random.nextInt(changed.size());
        changed.set(at, pick(random, odd, odd + odd, changed.get(at) + odd, odd + "/" + changed.get(at), ""));
        var path = String.join("/", changed.subList(0, random.nextInt(at, changed.size()) + 1));
        var method = pick(random, "GET", "POST", "PUT", "PATCH", "OPTIONS", "TRACE", "BREW");
        return RawRequest.of(
                method, path + pick(random, "", "/", "//", "?a=b", "?", "?%zz"), KEY, random.nextBoolean() ? "{}" : "");
    }

    private RawRequest giant(SplittableRandom random) {
        var text = "x".repeat(GIANT_BYTES + random.nextInt(GIANT_BYTES));
        return switch (random.nextInt(3)) {
            case 0 ->
                any(random)
                        .withBody(("{\"id\":\"1\",\"pk\":\"a\",\"text\":\"" + text + "\"}")
                                .getBytes(StandardCharsets.UTF_8));
            case 1 -> query("SELECT VALUE '" + text + "'");
            default -> batch("[" + "[".repeat(GIANT_BYTES));
        };
    }

    private static String quoted(String text) {
        return com.fasterxml.jackson.databind.node.TextNode.valueOf(text).toString();
    }
}
