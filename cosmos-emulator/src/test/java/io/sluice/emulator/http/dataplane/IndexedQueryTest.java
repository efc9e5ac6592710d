package io.sluice.emulator.http.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.http.message.DocumentPage;
import io.sluice.emulator.query.CosmosQuery;
import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.Container;
import io.sluice.emulator.store.Partition;
import io.sluice.emulator.store.Precondition;
import io.sluice.emulator.store.VersionRetention;
import io.sluice.emulator.store.WriteTransaction;
import io.sluice.emulator.store.computed.ComputedProperties;
import io.sluice.emulator.store.item.StoredItem;
import io.sluice.emulator.store.key.EpkRange;
import io.sluice.emulator.store.key.PartitionKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An index must never show in an answer: what is read by it must be what a scan finds, in the same order. */
class IndexedQueryTest {
    private static final List<String> PROPERTIES = List.of("c.a", "c.b", "c.n.x", "c[\"odd name\"]");
    private static final List<String> KEYS = List.of("k0", "k1", "k2");
    private static final String LONG = "the same beginning of many strings ".repeat(2);
    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "false",
            "0",
            "-0.0",
            "1",
            "1.0",
            "1.5",
            "-7",
            "42",
            "1e30",
            "9007199254740992",
            "9007199254740993",
            "\"\"",
            "\"a\"",
            "\"ab\"",
            "\"abc\"",
            "\"b\"",
            "\"\u00e9\"",
            "\"\uffff\"",
            "\"" + LONG + "\"",
            "\"" + LONG + "a\"",
            "\"" + LONG + "b\"",
            "[]",
            "[1,\"a\"]",
            "{}",
            "{\"x\":1}");

    private Instant now = Instant.EPOCH.plusSeconds(1_000_000);
    private Account account = opened(null);
    private final QueryPager pages = new QueryPager();
    private long read;
    private long scanned;

    @AfterEach
    void close() {
        account.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void random_queries_in_memory(long seed) {
        run(seed);
    }

    @ParameterizedTest
    @ValueSource(longs = 7)
    void random_queries_in_a_folder(long seed, @TempDir Path folder) {
        account.close();
        account = opened(folder);
        run(seed);
        account.close();

        account = opened(folder);
        var random = new SplittableRandom(seed);
        for (int i = 0; i < 50; i++) {
            assertSame(account.container("db", "things"), query(random), random, "opened again, seed " + seed);
        }
    }

    private void run(long seed) {
        var container = container("{\"id\":\"things\",\"defaultTtl\":-1}");
        var random = new SplittableRandom(seed);
        for (int i = 0; i < 400; i++) {
            write(container, random);
        }
        for (int step = 0; step < 120; step++) {
            assertSame(container, query(random), random, "seed " + seed + ", step " + step);
            for (int i = random.nextInt(6); i > 0; i--) {
                write(container, random);
            }
            disturb(container, random, step);
        }
        assertThat(read).as("read, of %s to scan", scanned).isLessThan(scanned / 2);
    }

    private void disturb(Container container, SplittableRandom random, int step) {
        var database = account.database("db");
        if (step == 40 || step == 60) {
            account.repartitioning()
                    .split(database, container, container.partitions().get(0).id(), null);
        } else if (step == 80) {
            var neighbours = container.partitions();
            account.repartitioning()
                    .merge(
                            database,
                            container,
                            neighbours.get(0).id(),
                            neighbours.get(1).id());
        } else if (step == 100) {
            account.replaceContainer(database, container, body(POLICY), Precondition.NONE);
        } else if (random.nextInt(10) == 0) {
            now = now.plusSeconds(20);
            account.sweep();
        }
    }

    private static final String POLICY = """
            {"id":"things","defaultTtl":-1,"indexingPolicy":{"indexingMode":"consistent",
            "includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/b/?"},{"path":"/tags/*"}]}}""";

    @Test
    void what_the_policy_excludes_is_scanned() {
        var container = container(POLICY);
        fill(container, 500);

        assertThat(reads(container, "SELECT * FROM c WHERE c.a = 7")).isEqualTo(1);
        assertThat(reads(container, "SELECT * FROM c WHERE c.b = 7")).isEqualTo(500);
        assertThat(reads(container, "SELECT * FROM c WHERE ARRAY_CONTAINS(c.tags, 7)"))
                .isEqualTo(500);

        account.replaceContainer(account.database("db"), container, body("{\"id\":\"things\"}"), Precondition.NONE);
        assertThat(reads(container, "SELECT * FROM c WHERE c.b = 7")).isEqualTo(1);

        account.replaceContainer(account.database("db"), container, body(POLICY), Precondition.NONE);
        assertThat(reads(container, "SELECT * FROM c WHERE c.b = 7")).isEqualTo(500);
    }

    @Test
    void a_query_reads_what_it_returns_and_little_else() {
        var container = container("{\"id\":\"things\"}");
        fill(container, 2000);

        assertThat(reads(container, "SELECT * FROM c WHERE c.a = 7")).isEqualTo(1);
        assertThat(reads(container, "SELECT * FROM c WHERE 7 = c.a AND c.even")).isEqualTo(1);
        assertThat(reads(container, "SELECT * FROM c WHERE c.a IN (7, 8, -1)")).isEqualTo(2);
        assertThat(reads(container, "SELECT * FROM c WHERE c.a >= 7 AND c.a < 17"))
                .isEqualTo(11);
        assertThat(reads(container, "SELECT * FROM c WHERE c.a BETWEEN 7 AND 16"))
                .isEqualTo(10);
        assertThat(reads(container, "SELECT * FROM c WHERE c.a = 7 OR c.a > 1997"))
                .isEqualTo(4);
        assertThat(reads(container, "SELECT * FROM c WHERE STARTSWITH(c.s, 'text 199')"))
                .isEqualTo(11);
        assertThat(reads(container, "SELECT * FROM c WHERE ARRAY_CONTAINS(c.tags, 7)"))
                .isEqualTo(1);
        assertThat(reads(container, "SELECT * FROM c WHERE c.n.x = 7")).isEqualTo(1);
        assertThat(reads(container, "SELECT * FROM c WHERE NOT IS_DEFINED(c.a)"))
                .isZero();
        assertThat(reads(container, "SELECT * FROM c WHERE c.a = @missing")).isZero();
        assertThat(reads(container, "SELECT TOP 5 * FROM c ORDER BY c.a DESC")).isEqualTo(5);
        assertThat(reads(container, "SELECT * FROM c ORDER BY c.s OFFSET 3 LIMIT 4"))
                .isEqualTo(7);
        assertThat(reads(container, "SELECT TOP 5 * FROM c WHERE c.even ORDER BY c.a"))
                .as("to read two items for a result costs less than to collect the numbers of all even ones")
                .isBetween(9L, 10L);
        assertThat(reads(container, "SELECT COUNT(1) AS n FROM c WHERE c.a < 10"))
                .isEqualTo(11);
    }

    @Test
    void items_without_the_value_of_the_order_are_not_read() {
        var container = container("{\"id\":\"things\"}");
        fill(container, 2000);
        for (int i = 0; i < 500; i++) {
            create(container, item("k1", "queued-" + i).put("kind", "queued").put("at", 10_000 - i));
        }

        assertThat(reads(container, "SELECT TOP 5 * FROM c WHERE c.kind = 'queued' ORDER BY c.at"))
                .isEqualTo(5);
        assertThat(reads(container, "SELECT TOP 5 * FROM c WHERE c.kind = 'queued' ORDER BY c.at DESC"))
                .isEqualTo(5);
        assertThat(reads(container, "SELECT TOP 300 * FROM c WHERE c.kind = 'queued' AND c.at > 9900 ORDER BY c.at"))
                .isEqualTo(101);
        assertThat(reads(container, "SELECT TOP 400 * FROM c WHERE c.kind = 'queued' ORDER BY c.at"))
                .isBetween(400L, 500L);
    }

    @Test
    void the_smaller_of_a_partition_key_and_an_index_is_read() {
        var container = container("{\"id\":\"things\"}");
        fill(container, 2000);
        for (int i = 0; i < 200; i++) {
            create(container, item("k1", "other-" + i).put("kind", "other").put("a", i));
        }
        var key = key("k1");

        assertThat(reads(PartitionSlice.of(target(container, key), key), "SELECT * FROM c WHERE c.kind = 'other'"))
                .isEqualTo(200);
        assertThat(reads(PartitionSlice.of(target(container, key), key), "SELECT * FROM c WHERE c.a = 7"))
                .isEqualTo(1);
        assertThat(reads(PartitionSlice.of(target(container, key), key), "SELECT * FROM c WHERE c.a >= 0"))
                .isEqualTo(200);
    }

    private RequestTarget target(Container container, PartitionKey key) {
        return new RequestTarget(container, key, new ThroughputLimiter(account, 0, () -> now), null);
    }

    private void fill(Container container, int items) {
        for (int i = 0; i < items; i++) {
            var item = item("k0", "item-" + i).put("a", i).put("b", i).put("s", "text " + i);
            item.put("even", i % 2 == 0).put("kind", "filled").putObject("n").put("x", i);
            item.putArray("tags").add(i).add("all");
            create(container, item);
        }
    }

    private long reads(Container container, String text) {
        return reads(slices(container).get(0), text);
    }

    private long reads(PartitionSlice slice, String text) {
        read = 0;
        var query = CosmosQuery.parse(text, Map.of());
        assertThat(paged(query, slice, 1000)).as(text).isEqualTo(scan(query, slice));
        return read;
    }

    private void assertSame(Container container, String text, SplittableRandom random, String when) {
        var query = CosmosQuery.parse(text, Map.of("@low", value("-1"), "@text", value("\"ab\"")));
        var slices = new ArrayList<>(slices(container));
        var key = key(pick(KEYS, random));
        slices.add(PartitionSlice.of(target(container, key), key));
        for (var slice : slices) {
            assertThat(paged(query, slice, random.nextInt(1, 40)))
                    .as("%s: %s", when, text)
                    .isEqualTo(scan(query, slice));
        }
    }

    private static List<PartitionSlice> slices(Container container) {
        return container.partitions().stream()
                .map(partition -> new PartitionSlice(partition, EpkRange.FULL, null))
                .toList();
    }

    private List<JsonNode> scan(CosmosQuery query, PartitionSlice slice) {
        var documents = new ArrayList<ObjectNode>();
        slice.items(slice.partition().view(), 0).forEachRemaining(item -> documents.add(item.document()));
        scanned += documents.size();
        return list(query.execute(documents.iterator()));
    }

    private List<JsonNode> paged(CosmosQuery query, PartitionSlice slice, int maxItems) {
        var all = new ArrayList<JsonNode>();
        var from = QueryContinuation.startOf(slice.extent());
        while (from != null) {
            var page = new DocumentPage("rid");
            from = pages.page(
                    query, QuerySource.of(slice, query, ComputedProperties.parse(null), maxItems), from, page);
            read += page.read();
            Json.readValue(page.toResponse().body()).path("Documents").forEach(all::add);
        }
        return all;
    }

    private static List<JsonNode> list(Iterator<JsonNode> results) {
        var list = new ArrayList<JsonNode>();
        // As they come off the wire.
        results.forEachRemaining(result -> list.add(Json.readValue(Json.bytes(result))));
        return list;
    }

    private static String query(SplittableRandom random) {
        var filter = filter(random, 2);
        return switch (random.nextInt(5)) {
            case 0 ->
                "SELECT TOP " + random.nextInt(1, 12) + " c.id, c.a FROM c WHERE " + filter + " ORDER BY "
                        + pick(PROPERTIES, random) + pick(List.of("", " DESC", " ASC"), random);
            case 1 ->
                "SELECT VALUE c.id FROM c ORDER BY " + pick(PROPERTIES, random) + pick(List.of("", " DESC"), random)
                        + " OFFSET " + random.nextInt(5) + " LIMIT " + random.nextInt(8);
            case 2 -> "SELECT VALUE COUNT(1) FROM c WHERE " + filter;
            case 3 -> "SELECT c.id, t AS tag FROM c JOIN t IN c.tags WHERE " + filter;
            default -> "SELECT c.id, c.a FROM c WHERE " + filter;
        };
    }

    private static String filter(SplittableRandom random, int depth) {
        if (depth > 0 && random.nextBoolean()) {
            var junction = random.nextInt(3) == 0 ? " OR " : " AND ";
            return "(" + filter(random, depth - 1) + junction + filter(random, depth - 1) + ")";
        }
        var path = pick(PROPERTIES, random);
        var value = pick(VALUES, random);
        return switch (random.nextInt(14)) {
            case 0 -> path + " IN (" + value + ", " + pick(VALUES, random) + ", undefined)";
            case 1 -> path + " BETWEEN " + value + " AND " + pick(VALUES, random);
            case 2 -> "STARTSWITH(" + path + ", " + pick(List.of("'a'", "''", "'" + LONG + "'", "@text"), random) + ")";
            case 3 -> "STARTSWITH(" + path + ", 'A', true)";
            case 4 -> "ARRAY_CONTAINS(c.tags, " + value + ")";
            case 5 -> "NOT IS_DEFINED(" + path + ")";
            case 6 -> "IS_NULL(" + path + ")";
            case 7 -> pick(List.of("", "NOT "), random) + path;
            case 8 -> value + pick(List.of(" = ", " < ", " >= "), random) + path;
            case 9 -> path + " > @low AND " + path + " <= -(@low) + 5";
            case 10 -> "NOT (" + path + " = " + value + ")";
            case 11 -> path + " = @missing";
            default -> path + pick(List.of(" = ", " = ", " != ", " < ", " <= ", " > ", " >= "), random) + value;
        };
    }

    private static void write(Container container, SplittableRandom random) {
        var item = item(pick(KEYS, random), "item-" + random.nextInt(600));
        put(item, "a", random);
        put(item, "b", random);
        put(item, "odd name", random);
        if (random.nextInt(4) > 0) {
            put(item.putObject("n"), "x", random);
        }
        if (random.nextInt(4) > 0) {
            ArrayNode tags = item.putArray("tags");
            for (int i = random.nextInt(4); i > 0; i--) {
                tags.add(value(pick(VALUES, random)));
            }
        }
        if (random.nextInt(8) == 0) {
            item.put("ttl", 30);
        }
        var key = key(item.path("pk").textValue());
        write(container.partitionOf(key), transaction -> {
            var id = item.path("id").textValue();
            return random.nextInt(4) == 0 && transaction.exists(key, id)
                    ? transaction.delete(key, id, Precondition.NONE)
                    : transaction.upsert(key, item, Precondition.NONE);
        });
    }

    private static void put(ObjectNode item, String name, SplittableRandom random) {
        if (random.nextInt(5) > 0) {
            item.set(name, value(pick(VALUES, random)));
        }
    }

    private static void create(Container container, ObjectNode item) {
        var key = key(item.path("pk").textValue());
        write(container.partitionOf(key), transaction -> transaction.create(key, item));
    }

    private static void write(Partition partition, Function<WriteTransaction, StoredItem> work) {
        partition.write(work);
    }

    private Container container(String body) {
        var database = account.createDatabase(Json.object().put("id", "db"), null);
        return account.createContainer(database, body(body), null);
    }

    private static ObjectNode body(String text) {
        var body = (ObjectNode) value(text);
        body.putObject("partitionKey")
                .put("kind", "Hash")
                .put("version", 2)
                .putArray("paths")
                .add("/pk");
        return body;
    }

    private Account opened(@Nullable Path folder) {
        return Account.open(folder, 1, new VersionRetention(false), () -> now);
    }

    private static ObjectNode item(String key, String id) {
        return Json.object().put("id", id).put("pk", key);
    }

    private static PartitionKey key(String text) {
        return PartitionKey.parse("[\"" + text + "\"]");
    }

    private static JsonNode value(String json) {
        return Json.readValue(json.getBytes(StandardCharsets.UTF_8));
    }

    private static <T> T pick(List<T> from, SplittableRandom random) {
        return from.get(random.nextInt(from.size()));
    }
}
