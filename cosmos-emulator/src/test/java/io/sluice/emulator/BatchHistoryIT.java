package io.sluice.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Sixteen writers of batches, some of whose answers or requests are lost, and readers next to them. What they wrote and
 * saw is recorded and judged afterwards by {@link BatchHistory}. What each does is drawn from a seed.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BatchHistoryIT {
    private static final int WRITERS = 16;
    private static final int READERS = 4;
    private static final int BATCHES = 40;
    private static final int SLOTS = 5;
    private static final int LOSE_EVERY = 17;
    private static final int DROP_EVERY = 29;
    private static final ObjectMapper JSON = new ObjectMapper();

    @RegisterExtension
    static final RunningEmulator EMULATOR = new RunningEmulator(
            EmulatorConfig.inMemory().withPhysicalPartitions(2).withContinuousBackup(true));

    private final BatchHistory history = new BatchHistory(SLOTS + 1);
    private final AtomicInteger batches = new AtomicInteger();
    private final AtomicBoolean writing = new AtomicBoolean(true);
    private String container = "";
    private String docs = "";

    @ParameterizedTest
    @CsvSource({"2,1,true", "3,12,false", "5,3,true"})
    void batches_are_atomic_and_their_etags_linear(long seed, int keys, boolean splits) throws Exception {
        container = EMULATOR.container().getId();
        docs = "dbs/tests/colls/" + container + "/docs";
        EMULATOR.emulator().faults().loseAnswer(request -> isTurnOf(request, LOSE_EVERY), 0);
        EMULATOR.emulator().faults().dropConnection(request -> isTurnOf(request, DROP_EVERY), 0);
        var threads = Executors.newFixedThreadPool(WRITERS + READERS);
        try {
            var writers = start(threads, WRITERS, n -> write(new SplittableRandom(seed * 1_000 + n), n, keys));
            var readers = start(threads, READERS, n -> read(new SplittableRandom(seed * 1_000 + 500 + n), n, keys));
            if (splits) {
                splitMeanwhile();
            }
            get(writers);
            writing.set(false);
            get(readers);
        } finally {
            writing.set(false);
            threads.shutdownNow();
        }
        EMULATOR.emulator().faults().clear();

        readFeeds();

        history.check("seed %d, %d keys, splits: %s".formatted(seed, keys, splits));
    }

    private boolean isTurnOf(LoggedRequest request, int every) {
        return request.operation() == RequestKind.BATCH && batches.incrementAndGet() % every == 0;
    }

    /** Cuts both partitions while the writers are at work. */
    private void splitMeanwhile() {
        for (var range : List.of("0", "1")) {
            int before = history.answered();
            while (writing.get() && history.answered() < before + WRITERS) {
                Thread.onSpinWait();
            }
            EMULATOR.emulator().partitions().split("tests", container, range);
        }
    }

    /**
     * Writes all slots and the head of a key at once; half of the times only if the head is still what it has just
     * read.
     */
    private Void write(SplittableRandom random, int writer, int keys) throws IOException {
        var wire = new Wire();
        for (int n = 0; n < BATCHES; n++) {
            var key = "key-" + random.nextInt(keys);
            var transaction = writer + "-" + n;
            @Nullable String expected = null;
            if (random.nextBoolean()) {
                var head = wire.send(RawRequest.of("GET", docs + "/head", forKey(key), ""));
                expected = head != null && head.status() == 200 ? head.header("etag") : null;
            }
            var answer = wire.send(RawRequest.of("POST", docs, forBatch(key), batch(key, transaction, expected)));
            history.wrote(transaction, expected, outcome(answer));
        }
        wire.close();
        return null;
    }

    private static BatchHistory.Outcome outcome(RawConnection.@Nullable Answer answer) throws IOException {
        if (answer == null) {
            return BatchHistory.Outcome.UNKNOWN;
        }
        assertThat(answer.status()).as(answer.text()).isIn(200, 207);
        if (answer.status() == 200) {
            return BatchHistory.Outcome.APPLIED;
        }
        assertThat(JSON.readTree(answer.text()).findValuesAsText("statusCode"))
                .as("only the condition on the head can fail")
                .containsOnly("412", "424");
        return BatchHistory.Outcome.REFUSED;
    }

    private static String batch(String key, String transaction, @Nullable String expected) {
        var body = new StringBuilder("[");
        for (int slot = 0; slot < SLOTS; slot++) {
            body.append(upsert(key, "slot-" + slot, transaction)).append("},");
        }
        body.append(upsert(key, "head", transaction));
        if (expected != null) {
            body.append(",\"ifMatch\":").append(com.fasterxml.jackson.databind.node.TextNode.valueOf(expected));
        }
        return body.append("}]").toString();
    }

    private static String upsert(String key, String id, String transaction) {
        return "{\"operationType\":\"Upsert\",\"resourceBody\":{\"id\":\"%s\",\"pk\":\"%s\",\"tx\":\"%s\"}"
                .formatted(id, key, transaction);
    }

    private Void read(SplittableRandom random, int reader, int keys) throws IOException {
        var wire = new Wire();
        while (writing.get()) {
            var key = "key-" + random.nextInt(keys);
            var query = RawRequest.of("POST", docs, forKey(key), "{\"query\":\"SELECT * FROM c\"}")
                    .with("x-ms-documentdb-isquery", "true");
            var answer = wire.send(query);
            if (answer != null && answer.status() == 200) {
                history.saw(
                        reader,
                        key,
                        JSON.readTree(answer.text()).path("Documents").findValuesAsText("tx"));
            }
        }
        wire.close();
        return null;
    }

    /** All versions in each range, in pages as small as they get. */
    private void readFeeds() throws IOException {
        var wire = new Wire();
        for (var range : EMULATOR.emulator().partitions().of("tests", container)) {
            var position = "0";
            while (true) {
                var headers = Map.of(
                        "A-IM",
                        "Full-Fidelity Feed",
                        "x-ms-cosmos-changefeed-wire-format-version",
                        "2021-09-15",
                        "x-ms-documentdb-partitionkeyrangeid",
                        range.id(),
                        "x-ms-max-item-count",
                        "1",
                        "If-None-Match",
                        position);
                var answer = wire.send(RawRequest.of("GET", docs, headers, ""));
                if (answer == null) {
                    throw new AssertionError("the feed of range " + range.id() + " lost its connection");
                }
                if (answer.status() == 304) {
                    break;
                }
                assertThat(answer.status()).as(answer.text()).isEqualTo(200);
                var page = new ArrayList<JsonNode>();
                JSON.readTree(answer.text()).path("Documents").forEach(page::add);
                history.fed(range.id(), page);
                position = answer.header("etag");
            }
        }
        wire.close();
    }

    private static Map<String, String> forKey(String key) {
        return Map.of("x-ms-documentdb-partitionkey", "[\"" + key + "\"]");
    }

    private static Map<String, String> forBatch(String key) {
        return Map.of(
                "x-ms-documentdb-partitionkey",
                "[\"" + key + "\"]",
                "x-ms-cosmos-is-batch-request",
                "true",
                "x-ms-cosmos-batch-atomic",
                "true");
    }

    /** A connection that is opened again when it was lost. */
    private static final class Wire {
        private RawConnection connection = open();

        private static RawConnection open() throws IOException {
            return new RawConnection(URI.create(EMULATOR.emulator().endpoint()).getPort());
        }

        Wire() throws IOException {}

        RawConnection.@Nullable Answer send(RawRequest request) throws IOException {
            var answer = connection.send(request.bytes(EMULATOR.emulator().key()));
            if (answer == null) {
                connection.close();
                connection = open();
            }
            return answer;
        }

        void close() throws IOException {
            connection.close();
        }
    }

    private interface Work {
        Void run(int number) throws IOException;
    }

    private static List<Future<Void>> start(java.util.concurrent.ExecutorService threads, int count, Work work) {
        var futures = new ArrayList<Future<Void>>();
        for (int i = 0; i < count; i++) {
            int number = i;
            futures.add(threads.submit((Callable<Void>) () -> work.run(number)));
        }
        return futures;
    }

    private static void get(List<Future<Void>> futures) throws Exception {
        for (var future : futures) {
            future.get();
        }
    }
}
