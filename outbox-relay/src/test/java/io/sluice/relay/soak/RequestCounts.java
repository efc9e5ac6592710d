package io.sluice.relay.soak;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * How many requests an emulator has answered since its start. As a line of its log it is read by another process.
 *
 * @param all requests of relays and runtimes
 * @param runtimes how many of {@code all} came from runtimes
 * @param refused of {@code runtimes} those that changed and found nothing
 */
record RequestCounts(long all, long runtimes, long refused) {
    private static final String LINE = "requests until ";
    private static final String RELAY = "relay";
    /** Not found, conflict, a batch of which a part was refused, another version. */
    private static final Set<Integer> REFUSALS = Set.of(404, 409, 207, 412);

    private static final RequestCounts NONE = new RequestCounts(0, 0, 0);

    /** Counts the requests of a log. For one thread. */
    static final class Counter {
        private final RequestLog log;
        private RequestCounts counted = NONE;

        Counter(RequestLog log) {
            this.log = log;
        }

        RequestCounts countAndForget() {
            var requests = log.all();
            log.clear();
            requests.forEach(this::add);
            return counted;
        }

        private void add(LoggedRequest request) {
            boolean isRuntime = !request.userAgent().contains(RELAY);
            boolean isRefused = isRuntime && REFUSALS.contains(request.status());
            counted = new RequestCounts(
                    counted.all() + 1,
                    counted.runtimes() + (isRuntime ? 1 : 0),
                    counted.refused() + (isRefused ? 1 : 0));
        }
    }

    String line(long millis) {
        return LINE + millis + " " + all + " " + runtimes + " " + refused;
    }

    /** What was counted between two moments, by the log of the emulator. */
    static RequestCounts between(Path log, long fromMillis, long untilMillis) throws IOException {
        var lines = Files.readAllLines(log).stream()
                .filter(line -> line.startsWith(LINE))
                .map(line -> line.substring(LINE.length()).split(" "))
                .toList();
        return at(lines, untilMillis).minus(at(lines, fromMillis));
    }

    private static RequestCounts at(List<String[]> lines, long millis) {
        return lines.stream()
                .filter(line -> Long.parseLong(line[0]) <= millis)
                .reduce((before, later) -> later)
                .map(line ->
                        new RequestCounts(Long.parseLong(line[1]), Long.parseLong(line[2]), Long.parseLong(line[3])))
                .orElse(NONE);
    }

    private RequestCounts minus(RequestCounts before) {
        return new RequestCounts(all - before.all, runtimes - before.runtimes, refused - before.refused);
    }
}
