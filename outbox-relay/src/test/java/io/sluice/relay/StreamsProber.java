package io.sluice.relay;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Asks replicas for instances without a pause, whatever happens to them: an instance that was told of once is never
 * "not there" again, and who can't answer says when to ask again.
 */
final class StreamsProber implements AutoCloseable {
    private static final Duration PACE = Duration.ofMillis(20);

    private final HttpClient http = HttpClient.newHttpClient();
    private final Supplier<Set<String>> instances;
    private final List<Integer> ports = new CopyOnWriteArrayList<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private final Set<String> seen = new HashSet<>();
    private final SplittableRandom random = new SplittableRandom(1);
    private final Thread thread = new Thread(this::probe, "streams-prober");
    private volatile int answers;
    private final StopSignal end = new StopSignal();

    /** @param instances of which a fact was told */
    StreamsProber(Supplier<Set<String>> instances) {
        this.instances = instances;
        thread.setDaemon(true);
        thread.start();
    }

    void ask(int port) {
        ports.add(port);
    }

    /** Before a replica goes. */
    void leave(Integer port) {
        ports.remove(port);
    }

    int answers() {
        return answers;
    }

    List<String> faults() {
        return List.copyOf(faults);
    }

    private void probe() {
        do {
            var known = instances.get().stream()
                    .filter(instance -> !HistoryLoad.isEverDeleted(instance))
                    .toList();
            var asked = new ArrayList<>(ports);
            if (!known.isEmpty() && !asked.isEmpty()) {
                probe(asked.get(random.nextInt(asked.size())), known.get(random.nextInt(known.size())));
            }
        } while (!isOver());
    }

    private boolean isOver() {
        try {
            return end.restFor(PACE);
        } catch (InterruptedException e) {
            return true;
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void probe(int port, String instance) {
        try {
            var answer = http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/instances/" + instance))
                            .build(),
                    BodyHandlers.ofString());
            switch (answer.statusCode()) {
                case 200 -> {
                    seen.add(instance);
                    answers++;
                }
                case 503 -> {
                    if (answer.headers().firstValue("Retry-After").isEmpty()) {
                        faults.add("503 without Retry-After: " + answer.body());
                    }
                }
                default -> {
                    // Killed before its transaction was committed, a replica may have answered for what is yet to be
                    // told again.
                    faults.add(instance + " at " + port + ", seen before: " + seen.contains(instance) + ": "
                            + answer.statusCode() + " " + answer.body());
                }
            }
        } catch (IOException e) {
            if (ports.contains(port)) {
                faults.add("no answer at " + port + ": " + e);
            }
        } catch (InterruptedException e) {
            end.give();
        }
    }

    @Override
    public void close() {
        end.give();
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
