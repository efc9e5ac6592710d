package io.sluice.benchmarks.dispatch;

import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.harness.Pause;
import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.store.Parallel;
import io.sluice.testkit.EmbeddedKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/**
 * One run of everything, in an order that lets the announced runtimes settle while the polled ones are measured: the
 * first of a new group looks at everything, takes no announcement for all there is for two minutes, and looks once more
 * then.
 */
final class DispatchRun implements AutoCloseable {
    /** Of each kind. */
    static final int DISPATCHERS = 2;

    private static final int MORE_DISPATCHERS = 6;
    /** The least first: times are measured there, when the others are closed. */
    private static final List<Integer> PARTITIONS = List.of(1, 4, 16);

    private static final Duration SETTLED_AFTER = Duration.ofSeconds(130);
    /** After which the rests between two queries have grown to their longest. */
    private static final Duration UNTIL_IDLE = Duration.ofSeconds(4);

    private static final Duration OWN_WORK_AFTER = Duration.ofSeconds(1);
    private static final Duration POLLED_WINDOW = Duration.ofSeconds(15);
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final Duration SHORT_WINDOW = Duration.ofSeconds(2);

    private final Effort effort;
    private final EmbeddedKafka kafka;
    private final List<Crew> polled = new ArrayList<>();
    private final List<Crew> announced = new ArrayList<>();
    private final List<Figure> figures = new ArrayList<>();
    /** By physical partitions, of which the least come last. */
    private final SortedMap<Integer, List<Figure>> turns = new TreeMap<>();

    private long settledAtNanos;

    private DispatchRun(Effort effort) {
        this.effort = effort;
        this.kafka = EmbeddedKafka.start();
    }

    static DispatchRun start(Effort effort) {
        var run = new DispatchRun(effort);
        try {
            run.open(Way.ANNOUNCED);
            run.settledAtNanos = System.nanoTime()
                    + effort.pick(SETTLED_AFTER, Duration.ZERO).toNanos();
            run.open(Way.POLLED);
            return run;
        } catch (RuntimeException e) {
            run.close();
            throw e;
        }
    }

    private void open(Way way) {
        for (int partitions : effort.pick(PARTITIONS, List.of(1))) {
            var ownWorkAfter = way == Way.POLLED ? Duration.ZERO : OWN_WORK_AFTER;
            of(way).add(Crew.of(Site.start(way, partitions, kafka), DISPATCHERS, ownWorkAfter));
        }
    }

    private List<Crew> of(Way way) {
        return way == Way.POLLED ? polled : announced;
    }

    List<Figure> measure() {
        Pause.of(effort.pick(UNTIL_IDLE, Duration.ZERO));
        measureCosts(polled, effort.pick(POLLED_WINDOW, SHORT_WINDOW));
        closeAllButTheFirst(polled);
        Pause.of(Duration.ofNanos(settledAtNanos - System.nanoTime()));
        measureCosts(announced, effort.pick(WINDOW, SHORT_WINDOW));
        announced.replaceAll(DispatchRun::impatient);
        Pause.of(effort.pick(SETTLED_AFTER, Duration.ZERO));
        measureOrders(announced);
        closeAllButTheFirst(announced);
        var both = List.of(polled.get(0), announced.get(0));
        Parallel.run(both.stream()
                        .<Callable<List<Figure>>>map(crew -> () -> FetchLatency.measure(crew, effort))
                        .toList())
                .forEach(figures::addAll);
        figures.addAll(Drain.measure(both, effort, DISPATCHERS, MORE_DISPATCHERS));
        both.forEach(this::measureTurns);
        turns.values().forEach(figures::addAll);
        return figures;
    }

    private void measureCosts(List<Crew> crews, Duration window) {
        figures.addAll(IdleWindow.measure(crews, window));
        measureOrders(crews);
    }

    private void measureOrders(List<Crew> crews) {
        crews.forEach(crew -> figures.addAll(OrderCosts.measure(crew, effort)));
    }

    /** One that looks at an instance for its own messages at once, in place of one that waits for announcements. */
    private static Crew impatient(Crew patient) {
        patient.close();
        return Crew.of(patient.site(), DISPATCHERS);
    }

    private void closeAllButTheFirst(List<Crew> crews) {
        while (crews.size() > 1) {
            var crew = crews.remove(1);
            measureTurns(crew);
            crew.site().close();
        }
    }

    private void measureTurns(Crew crew) {
        crew.close();
        turns.computeIfAbsent(crew.site().physicalPartitions(), partitions -> new ArrayList<>())
                .addAll(TurnCosts.measure(crew.site(), effort));
    }

    @Override
    public void close() {
        for (var way : Way.values()) {
            of(way).forEach(crew -> {
                crew.close();
                crew.site().close();
            });
        }
        kafka.close();
    }
}
