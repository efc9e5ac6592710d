package io.sluice.relay.ledger.watch;

import com.azure.cosmos.CosmosException;
import io.sluice.relay.StopSignal;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Measures processes at a steady pace, by a thread of its own. */
public final class Watch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

    private final Map<Watched, JavaInside> programs = new LinkedHashMap<>();
    private final Ports ports;
    private final LongSupplier documents;
    private final Pace pace;
    private final Samples samples = new Samples();
    private final Thread thread = new Thread(this::repeat, "watch");
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final StopSignal end = new StopSignal();

    /** A process that is to live as long as it is watched. */
    public record Watched(String name, long pid) {}

    /** Where emulator and broker listen. */
    public record Ports(int cosmos, int kafka) {}

    /**
     * How often it measures.
     *
     * @param look between two looks
     * @param collection between two forced collections, a multiple of the looks
     */
    public record Pace(Duration look, Duration collection) {}

    /**
     * Looks into the programs, which must live.
     *
     * @param programs the emulator's first: what it stores is taken into account
     * @param documents how many the emulator holds
     */
    public Watch(List<Watched> programs, Ports ports, LongSupplier documents, Pace pace) throws IOException {
        for (var program : programs) {
            this.programs.put(program, JavaInside.of(program.pid()));
        }
        this.ports = ports;
        this.documents = documents;
        this.pace = pace;
    }

    /** Begins. */
    public void start() {
        thread.setDaemon(true);
        thread.start();
    }

    private void repeat() {
        long begun = System.nanoTime();
        long looksPerCollection = pace.collection().dividedBy(pace.look());
        try {
            long due = begun;
            for (long look = 0; !end.restUntil(due); look++) {
                lookAt((System.nanoTime() - begun) / 1e9, look % looksPerCollection == 0);
                // What a busy machine made it miss is not made up for.
                due = Math.max(due + pace.look().toNanos(), System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failure.set(e);
        }
    }

    private void lookAt(double seconds, boolean collect) {
        var toCosmos = ProcFiles.connectionsOf(ports.cosmos());
        var toKafka = ProcFiles.connectionsOf(ports.kafka());
        double stored = collect ? storedMegabytes() : 0;
        for (var watched : programs.entrySet()) {
            var program = watched.getKey();
            var look = ProcFiles.look(program.pid());
            samples.add(program.name(), Measure.RSS, seconds, look.rssMegabytes());
            samples.add(
                    program.name(), Measure.DIRECT, seconds, watched.getValue().directMegabytes());
            samples.add(program.name(), Measure.THREADS, seconds, look.threads());
            samples.add(program.name(), Measure.DESCRIPTORS, seconds, look.descriptors());
            samples.add(program.name(), Measure.TO_COSMOS, seconds, common(look.sockets(), toCosmos));
            samples.add(program.name(), Measure.TO_KAFKA, seconds, common(look.sockets(), toKafka));
            if (collect && !Double.isNaN(stored)) {
                double heap = watched.getValue().heapAfterCollectionMegabytes();
                samples.add(program.name(), Measure.HEAP, seconds, heap - stored);
                stored = 0;
            }
        }
    }

    private double storedMegabytes() {
        try {
            return documents.getAsLong() * Samples.KILOBYTES_PER_DOCUMENT / 1024.0;
        } catch (CosmosException e) {
            LOG.atWarn().addKeyValue("reason", e.getShortMessage()).log("can't count documents now");
            return Double.NaN;
        }
    }

    private static double common(Set<String> some, Set<String> others) {
        return some.stream().filter(others::contains).count();
    }

    /** Ends the watch; what was measured. */
    public Samples end() throws InterruptedException {
        end.give();
        thread.join();
        var failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("the watch failed", failed);
        }
        return samples;
    }

    @Override
    public void close() throws IOException {
        end.give();
        thread.interrupt();
        for (var inside : programs.values()) {
            inside.close();
        }
    }
}
