package io.sluice.benchmarks.dispatch;

import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.harness.Pause;
import io.sluice.benchmarks.relay.RelayTestbed;
import io.sluice.benchmarks.result.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;

/**
 * How long work of another process waits until it is fetched: from the beginning of the write, so that it holds the
 * write too, to the end of the fetch. The pieces come one by one, at no particular moment.
 */
final class FetchLatency {
    static final int SAMPLES = 500;
    private static final int FEW_SAMPLES = 5;
    private static final long LEAST_REST_MILLIS = 50;
    private static final long MOST_REST_MILLIS = 150;

    private final Crew crew;
    private final Client client;

    /** One kind of work. */
    @SuppressWarnings("ImmutableEnumChecker") // the functions hold nothing
    enum Kind {
        TURNS("turns", (client, instance) -> client.start(instance, 0)),
        ACTIVITIES("activities", Client::queueActivity);

        private final String text;
        private final BiConsumer<Client, String> write;

        Kind(String text, BiConsumer<Client, String> write) {
            this.text = text;
            this.write = write;
        }
    }

    private FetchLatency(Crew crew, Client client) {
        this.crew = crew;
        this.client = client;
    }

    /** Of both kinds. */
    static List<Figure> measure(Crew crew, Effort effort) {
        List<Figure> figures = new ArrayList<>();
        try (var client = new Client(crew.site())) {
            for (var kind : Kind.values()) {
                var latency = new FetchLatency(crew, client);
                latency.sample(kind, FEW_SAMPLES);
                var millis = latency.sample(kind, effort.pick(SAMPLES, FEW_SAMPLES));
                figures.addAll(DispatchFigures.latency(crew.site(), kind.text, millis));
            }
        }
        return figures;
    }

    /** Sorted, in milliseconds. */
    private List<Double> sample(Kind kind, int count) {
        Map<String, Long> writtenAtNanos = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            Pause.of(Duration.ofMillis(ThreadLocalRandom.current().nextLong(LEAST_REST_MILLIS, MOST_REST_MILLIS)));
            var instance = crew.site().nextInstance();
            writtenAtNanos.put(instance, System.nanoTime());
            kind.write.accept(client, instance);
        }
        RelayTestbed.await(
                () -> writtenAtNanos.keySet().stream().allMatch(instance -> crew.fetchedAtNanos(instance) != null));
        if (kind == Kind.TURNS) {
            crew.awaitEnds(count);
        }
        return writtenAtNanos.entrySet().stream()
                .map(entry -> (Objects.requireNonNull(crew.fetchedAtNanos(entry.getKey())) - entry.getValue()) / 1e6)
                .sorted()
                .toList();
    }
}
