package io.sluice.benchmarks.dispatch;

import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.harness.Pause;
import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.store.Parallel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/** What a turn costs, fetch and ack, while more and more processes wait for the instances that another one starts. */
final class TurnCosts {
    private static final List<Integer> PROCESSES = List.of(1, 2, 5, 10);
    static final int DISPATCHERS = 2;
    private static final int TURNS = 100;
    private static final int WARM_UPS = 20;
    private static final int WRITERS = 4;
    /** What is announced later than its turn ended must cost nothing either. */
    private static final Duration AFTERWARDS = Duration.ofSeconds(1);

    private TurnCosts() {}

    /** Of a site without runtimes. */
    static List<Figure> measure(Site site, Effort effort) {
        List<Figure> figures = new ArrayList<>();
        int turns = effort.pick(TURNS, WRITERS);
        try (var crew = Crew.empty(site);
                var group = new TurnGroup(site);
                var client = new Client(site)) {
            for (int processes : effort.pick(PROCESSES, List.of(1, 2))) {
                while (crew.size() < processes) {
                    crew.add(DISPATCHERS, 0);
                }
                if (site.way() == Way.ANNOUNCED) {
                    group.awaitMembers(processes);
                }
                run(crew, client, effort.pick(WARM_UPS, WRITERS));
                site.forget();
                run(crew, client, turns);
                if (site.way() == Way.ANNOUNCED) {
                    Pause.of(AFTERWARDS);
                }
                crew.checkAllDispatch();
                figures.add(DispatchFigures.perTurn(
                        site, processes, (double) site.ofRuntimes().wireRequests() / turns));
            }
        }
        return figures;
    }

    private static void run(Crew crew, Client client, int turns) {
        Parallel.run(IntStream.range(0, WRITERS)
                .<Callable<Boolean>>mapToObj(writer -> () -> {
                    for (int i = 0; i < turns / WRITERS; i++) {
                        client.start(crew.site().nextInstance(), 0);
                    }
                    return true;
                })
                .toList());
        crew.awaitEnds(turns);
    }
}
