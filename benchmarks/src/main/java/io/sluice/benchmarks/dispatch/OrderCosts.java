package io.sluice.benchmarks.dispatch;

import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.harness.Pause;
import io.sluice.benchmarks.result.Figure;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What whole orchestrations cost, one after the other, in a process that starts and runs them. */
final class OrderCosts {
    private static final Duration AFTERWARDS = Duration.ofSeconds(1);

    private OrderCosts() {}

    /** An orchestration, and how many are played. */
    private record Kind(String name, int count, int ends, double most, Function<String, WorkItem> start) {}

    private static final List<Kind> KINDS = List.of(
            new Kind("hello world (1 activity)", 20, 1, 7, id -> Order.start(id, 1)),
            new Kind("parent → child → parent", 20, 2, 11, Order::startParent),
            new Kind("fan-out of 20", 5, 1, 45, id -> Order.start(id, 20)));

    /** Of a crew of one process. */
    static List<Figure> measure(Crew crew, Effort effort) {
        List<Figure> figures = new ArrayList<>();
        var site = crew.site();
        for (var kind : KINDS) {
            int count = effort.pick(kind.count(), 1);
            play(crew, kind, 1);
            site.forget();
            play(crew, kind, count);
            if (site.way() == Way.ANNOUNCED) {
                Pause.of(AFTERWARDS);
            }
            crew.checkAllDispatch();
            var cost = site.ofRuntimes();
            figures.addAll(DispatchFigures.perOrder(
                    crew, kind.name(), kind.most(), (double) cost.wireRequests() / count, cost.requestUnits() / count));
        }
        return figures;
    }

    private static void play(Crew crew, Kind kind, int count) {
        for (int i = 0; i < count; i++) {
            crew.play(kind.start().apply(crew.site().nextInstance()), kind.ends());
        }
    }
}
