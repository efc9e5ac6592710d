package io.sluice.emulator;

import static io.sluice.emulator.Clients.ids;
import static io.sluice.emulator.Clients.item;
import static io.sluice.emulator.Clients.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An emulator killed without warning in the middle of writes: what it acknowledged is there when its folder is opened
 * again.
 */
@Order(1)
class KillIT {
    private static final int WRITERS = 4;
    private static final int BATCH = 7;
    private static final int ROUNDS = Boolean.getBoolean("sluice.thorough") ? 3 : 2;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    /** What was acknowledged: single items, and batches. */
    private final Set<String> items = ConcurrentHashMap.newKeySet();

    private final Set<String> batches = ConcurrentHashMap.newKeySet();

    /** The first process leaves a torn end, too, which the next one leaves out. */
    @Test
    void nothing_acknowledged_is_lost_and_no_batch_is_torn() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            var process = start();
            try (var client = client(endpoint(process))) {
                client.createDatabaseIfNotExists("db");
                client.getDatabase("db").createContainerIfNotExists(new CosmosContainerProperties("things", "/pk"));
                writeUntilKilled(client.getDatabase("db").getContainer("things"), round, process);
            } finally {
                process.destroyForcibly().waitFor();
            }
            if (round == 0) {
                tearTheEnd();
            }
        }

        try (var emulator = CosmosEmulator.start(EmulatorConfig.inFolder(folder));
                var client = Clients.builder(emulator).buildClient()) {
            assertLedger(client.getDatabase("db").getContainer("things"));
        }
    }

    private void tearTheEnd() throws IOException {
        Path last;
        try (var files = Files.list(folder)) {
            last = files.filter(file -> file.toString().endsWith(".journal"))
                    .max(Comparator.comparingLong(KillIT::number))
                    .orElseThrow();
        }
        Files.write(last, new byte[] {0, 0, 1, 0, 1, 2, 3, 4, 5}, StandardOpenOption.APPEND);
    }

    private static long number(Path journal) {
        return Long.parseLong(journal.getFileName().toString().split("\\.", -1)[1]);
    }

    private void writeUntilKilled(CosmosContainer container, int round, Process process) throws InterruptedException {
        int before = items.size() + batches.size();
        var threads = new ArrayList<Thread>();
        for (int w = 0; w < WRITERS; w++) {
            int writer = w;
            var thread = new Thread(() -> write(container, round, writer, process));
            thread.start();
            threads.add(thread);
        }
        await().atMost(PATIENCE).until(() -> items.size() + batches.size() > before + 300);
        process.destroyForcibly().waitFor();
        for (var thread : threads) {
            thread.join();
        }
    }

    private void write(CosmosContainer container, int round, int writer, Process process) {
        var key = round + "/" + writer;
        for (int n = 0; process.isAlive(); n++) {
            try {
                container.createItem(item(key, "item-" + n));
                items.add(key + "|item-" + n);
                var batch = CosmosBatch.createCosmosBatch(new PartitionKey(key));
                for (int i = 0; i < BATCH; i++) {
                    batch.createItemOperation(item(key, "batch-" + n + "-" + i).put("batch", n));
                }
                if (container.executeCosmosBatch(batch).isSuccessStatusCode()) {
                    batches.add(key + "|" + n);
                }
            } catch (RuntimeException e) {
                // The process is gone, or going.
                return;
            }
        }
    }

    private void assertLedger(CosmosContainer container) {
        var stored = query(container, "SELECT * FROM c");
        var sizes = new HashMap<String, Integer>();
        var names = new ArrayList<String>();
        for (var document : stored) {
            names.add(document.path("pk").asText() + "|" + document.path("id").asText());
            if (document.has("batch")) {
                sizes.merge(
                        document.path("pk").asText() + "|"
                                + document.path("batch").asText(),
                        1,
                        Integer::sum);
            }
        }
        assertThat(names).doesNotHaveDuplicates().containsAll(items);
        assertThat(sizes.keySet()).containsAll(batches);
        assertThat(sizes.values()).as("batches are whole").containsOnly(BATCH);
        var feed = container
                .queryChangeFeed(
                        CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange()),
                        JsonNode.class)
                .stream()
                .toList();
        assertThat(ids(feed)).as("the feed has what the items are").hasSameSizeAs(names);
        container.createItem(item("later", "1"));
    }

    private Process start() throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(
                        java,
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:-BytecodeVerificationRemote",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledEmulator.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** The first line that is one: logs come on the same stream. */
    private static String endpoint(Process process) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("http://")) {
                return line;
            }
        }
        throw new IOException("The emulator ended before it listened");
    }

    private static CosmosClient client(String endpoint) {
        return JavaClients.builder(endpoint, EmulatorConfig.WELL_KNOWN_KEY)
                .contentResponseOnWriteEnabled(true)
                .buildClient();
    }
}
