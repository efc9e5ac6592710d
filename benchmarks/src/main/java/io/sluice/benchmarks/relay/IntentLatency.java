package io.sluice.benchmarks.relay;

import io.sluice.benchmarks.harness.Pause;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * How long an intent takes from its commit to its target document when the process that wrote it leaves it to the
 * relay. Both times are the emulator's, of the arrival of the two writes.
 */
final class IntentLatency {
    private static final Pattern RECEIPT = Pattern.compile("create:receipt:([^,]+)");
    private static final Duration UNTIL_IDLE = Duration.ofSeconds(3);
    private static final long LOOKS_EVERY_MILLIS = 1_000;
    private static final int TARGETS = 50;

    private final RelayTestbed bed;
    private int runs;

    IntentLatency(RelayTestbed bed) {
        this.bed = bed;
    }

    /**
     * What one run gave, in milliseconds.
     *
     * @param processor milliseconds of the relay's processors for each intent
     */
    record Figures(double median, double p99, double longest, double processor) {
        static Figures of(Collection<Long> millis, double processor) {
            var sorted = millis.stream().sorted().toList();
            return new Figures(
                    sorted.get(sorted.size() / 2),
                    sorted.get(sorted.size() * 99 / 100),
                    sorted.get(sorted.size() - 1),
                    processor);
        }
    }

    /** Intents of a source each, at a steady rate. */
    Figures atRate(int perSecond, int count) {
        int run = runs++;
        bed.emulator().requests().clear();
        double before = processorMillis();
        var commits = new ArrayList<CompletableFuture<Void>>();
        long startNanos = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long dueNanos = startNanos + Duration.ofSeconds(1).toNanos() * i / perSecond;
            Pause.of(Duration.ofNanos(dueNanos - System.nanoTime()));
            commits.add(bed.store()
                    .writeIntent("source-" + run + "-" + i, "target-" + i % TARGETS)
                    .toFuture());
        }
        commits.forEach(CompletableFuture::join);
        var latencies = latencies(count);
        return Figures.of(latencies, (processorMillis() - before) / count);
    }

    /** One intent after a while of nothing, in milliseconds. */
    double fromIdle() {
        int run = runs++;
        // At no particular moment of the second after which an idle relay looks again.
        Pause.of(UNTIL_IDLE.plusMillis(ThreadLocalRandom.current().nextLong(LOOKS_EVERY_MILLIS)));
        bed.emulator().requests().clear();
        bed.store().writeIntent("idle-" + run, "target").block();
        return latencies(1).get(0);
    }

    private double processorMillis() {
        return bed.relays().stream().mapToDouble(RelayProgram::processorMillis).sum();
    }

    private List<Long> latencies(int count) {
        var found = new ArrayList<Long>();
        RelayTestbed.await(() -> {
            found.clear();
            found.addAll(latencies());
            return found.size() >= count;
        });
        return found;
    }

    private Collection<Long> latencies() {
        Map<String, Long> committed = new HashMap<>();
        Map<String, Long> latencies = new HashMap<>();
        for (var request : bed.emulator().requests().all()) {
            var item = request.itemId();
            if (request.operation() == RequestKind.ITEM_CREATE && item != null && item.startsWith("intent:")) {
                committed.put(item.substring("intent:".length()), millis(request));
            } else if (request.operation() == RequestKind.BATCH && request.status() == 200) {
                var receipts = RECEIPT.matcher(request.body());
                while (receipts.find()) {
                    var since = committed.get(receipts.group(1));
                    if (since != null) {
                        latencies.putIfAbsent(receipts.group(1), millis(request) - since);
                    }
                }
            }
        }
        return latencies.values();
    }

    private static long millis(LoggedRequest request) {
        return request.at().toEpochMilli();
    }
}
