package io.sluice.benchmarks.dispatch;

import io.sluice.benchmarks.harness.Benchmark;
import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.page.Section;
import io.sluice.benchmarks.result.Figure;
import java.util.List;

/** What runtimes cost and how fast they are when relays announce work, and when they query for it. Ten minutes. */
public final class DispatchBenchmark implements Benchmark {
    @Override
    public String name() {
        return "dispatch";
    }

    @Override
    public Section section() {
        return new Section("What announcements of work save", """
                **Polled**: runtimes query the store for work. **Announced**: relays with `SLUICE_DISPATCH_ENABLED=true`
                tell them through Kafka ([dispatch](dispatch.md)). Each way has a store of its own, with a relay (a
                process of its own, default settings), and both share the broker and these processors. *Processes* have
                a client each and share nothing, but run in one JVM. Requests are those on the wire: to data partitions,
                each counted where a query goes to several, and query plans. Where work is announced, the first process
                of a group was there for more than two minutes: before that it looks at each instance. Counts are of one
                run, the backlogs of %d.
                """.formatted(Effort.WHOLE.runs()), DispatchViews.all());
    }

    @Override
    public List<Figure> measure(Effort effort) {
        try (var run = DispatchRun.start(effort)) {
            return run.measure();
        }
    }
}
