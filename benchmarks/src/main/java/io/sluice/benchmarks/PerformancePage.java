package io.sluice.benchmarks;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Writes {@code docs/performance.md}: what each operation asks of the store. Takes a little over a minute, one of which is spent counting what idle
 * dispatchers ask.
 */
public final class PerformancePage {
    private static final Duration LOCK = Duration.ofSeconds(30);

    /** What the design allows, and what the Rust provider was measured to take for the same work. */
    private record Budget(String most, String rust) {}

    private static final Budget NONE = new Budget("–", "–");
    private static final Map<String, Budget> BUDGETS = Map.ofEntries(
            Map.entry("fetch of a turn, new instance", new Budget("2", "7")),
            Map.entry("fetch of a turn, cached instance", new Budget("2", "7")),
            Map.entry("fetch of a turn, cold instance", new Budget("4", "7")),
            Map.entry("ack of a turn, 2 events and 1 activity", new Budget("1", "5")),
            Map.entry("ack of a turn that cancels an activity", new Budget("2", "–")),
            Map.entry("ack of a turn with 1 intent, delivered at once", new Budget("–", "7")),
            Map.entry("fetch of an activity", new Budget("2", "2")),
            Map.entry("ack of an activity with its completion", new Budget("1", "2")),
            Map.entry("renew the lock of an activity", new Budget("1", "2")),
            Map.entry("abandon an activity", new Budget("1", "2")),
            Map.entry("fetch of an activity with a session", new Budget("3", "–")),
            Map.entry("renew the lock of an activity with a session", new Budget("2", "–")),
            Map.entry("ack of an activity with a session", new Budget("2", "–")),
            Map.entry("hello world (1 activity)", new Budget("10", "29")),
            Map.entry("fan-out of 20", new Budget("67", "124")),
            Map.entry("parent → child → parent", new Budget("14", "41")));

    private PerformancePage() {}

    /** Writes the page to the path given as the only argument. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 1) {
            throw new IllegalArgumentException("give the page's path, such as docs/performance.md");
        }
        Files.writeString(Path.of(arguments[0]), page());
    }

    private static String page() {
        return """
                # What operations cost

                Written by `mvn -q -Prequests` (`%s`) from the request log of the embedded emulator. Requests are counted, not timed, so they are
                the same on every machine; a test of the benchmarks fails when this page says otherwise.

                *Requests* go to data partitions; a cross-partition query counts once. *Routing* are query plans, account, container and range reads beside
                them, which the SDK makes by itself. *Bytes* are bodies of requests and answers. *RU* are the emulator's, whose model is within a fifth of the
                service's published figures for point operations; a query's share is an estimate. The budget is the design's; the Rust provider (duroxide-cdb
                0.1.10) was measured on the same work.

                ## One physical partition
                %s
                ## Four physical partitions
                %s
                ## Idle
                Two orchestration and two activity dispatchers of one process on an empty store asked %d times in a minute; the budget is 130, the Rust provider
                asked 2 413 times. The pace is one request a second and queue; work of the same process wakes a dispatcher at once.

                ## Why not fewer
                - **Two requests to fetch** are the floor: the store must be asked what there is, and a lock must be written. The candidate query carries the messages, so that a new or a
                  cached instance needs no other read; the lock names the version it was decided on, so that nothing read before can be stale.
                - **One request to ack** is the floor. Cancelled activities must be looked up, since their document ids are not derived from their names.
                - **A fan-out takes fewer than budgeted** because one candidate query serves up to sixteen activities in a row.
                - **A turn of more than a hundred operations** takes one request per 97 to put its parts in place, one to look for duplicate ids, one to commit, two per part to
                  apply it, and one to unlock.
                """.formatted(
                        PerformancePage.class.getName(),
                        table(RequestsPerOperation.measure(1)),
                        table(RequestsPerOperation.measure(4)),
                        idleMinute());
    }

    /** The rows as a Markdown table. */
    static String table(Map<String, Measured> rows) {
        var text = new StringBuilder();
        text.append("| operation | requests | budget | Rust | routing | documents | bytes | RU |\n");
        text.append("|---|---:|---:|---:|---:|---:|---:|---:|\n");
        rows.forEach((operation, cost) -> text.append(row(operation, cost)));
        return text.toString();
    }

    private static String row(String operation, Measured cost) {
        var budget = BUDGETS.getOrDefault(operation, NONE);
        return String.format(
                Locale.ROOT,
                "%s%s | %s | %d | %d | %d | %.1f |%n",
                counted(operation, cost),
                budget.most(),
                budget.rust(),
                cost.routing(),
                cost.documents(),
                cost.bytes(),
                cost.requestUnits());
    }

    /** The part of a row that a test compares. */
    static String counted(String operation, Measured cost) {
        return "| " + operation + " | " + cost.requests() + " | ";
    }

    private static int idleMinute() {
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(1))) {
            var account = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "benchmarks", "idle");
            CosmosStore.provision(account);
            try (var provider = CosmosProvider.builder().config(account).build()) {
                provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null);
                provider.fetchWorkItem(LOCK, Duration.ZERO, null, TagFilter.defaultOnly());
                emulator.requests().clear();
                var minute = Duration.ofMinutes(1);
                together(List.of(
                        () -> provider.fetchOrchestrationItem(LOCK, minute, null),
                        () -> provider.fetchOrchestrationItem(LOCK, minute, null),
                        () -> provider.fetchWorkItem(LOCK, minute, null, TagFilter.defaultOnly()),
                        () -> provider.fetchWorkItem(LOCK, minute, null, TagFilter.defaultOnly())));
                return Measured.of(emulator.requests().all(), 1).requests();
            }
        }
    }

    private static void together(List<Callable<?>> dispatchers) {
        ExecutorService threads = Executors.newFixedThreadPool(dispatchers.size());
        try {
            List<Future<?>> running = new ArrayList<>();
            dispatchers.forEach(dispatcher -> running.add(threads.submit(dispatcher)));
            for (Future<?> dispatcher : running) {
                dispatcher.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for idle dispatchers", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("an idle dispatcher failed", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }
}
