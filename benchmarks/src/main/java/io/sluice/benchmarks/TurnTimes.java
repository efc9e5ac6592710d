package io.sluice.benchmarks;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** When turns were written, fetched and acked, by the emulator's times. An instance has one turn. */
final class TurnTimes {
    private final Map<String, Instant> written = new LinkedHashMap<>();
    private final Map<String, List<Instant>> batches = new LinkedHashMap<>();

    private TurnTimes() {}

    /** Of what the client and the runtimes asked: a runtime's batches on an instance are the fetch and the ack. */
    static TurnTimes of(List<LoggedRequest> asked, String client, String runtime) {
        var times = new TurnTimes();
        for (var request : asked) {
            String instance = request.partitionKey();
            if (instance == null || !instance.contains(DispatchSite.ORDER)) {
                continue; // what providers keep for themselves
            }
            if (request.userAgent().endsWith(client)) {
                times.written.putIfAbsent(instance, request.at());
            } else if (request.userAgent().endsWith(runtime)
                    && request.operation() == RequestKind.BATCH
                    && request.status() == 200) {
                times.batches
                        .computeIfAbsent(instance, unused -> new ArrayList<>())
                        .add(request.at().plus(request.took()));
            }
        }
        return times;
    }

    /** How many have been acked. */
    long acked() {
        return batches.values().stream().filter(ends -> ends.size() > 1).count();
    }

    /** From the beginning of the first write to the end of the last ack. */
    double seconds() {
        var last = batches.values().stream().flatMap(List::stream).max(Instant::compareTo);
        return Duration.between(Collections.min(written.values()), last.orElseThrow())
                        .toNanos()
                / 1e9;
    }

    /** From the beginning of a turn's write until it was fetched; of so many of a hundred turns it was shorter. */
    double waitMillis(int percent) {
        var waits = written.entrySet().stream()
                .map(entry -> Duration.between(
                        entry.getValue(),
                        batches.getOrDefault(entry.getKey(), List.of()).get(0)))
                .sorted()
                .toList();
        return waits.get(waits.size() * percent / 100).toNanos() / 1e6;
    }
}
