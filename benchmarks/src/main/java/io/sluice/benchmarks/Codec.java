package io.sluice.benchmarks;

import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** How long it takes to write and read the texts of the store. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class Codec {
    private static final String PAYLOAD =
            "{\"sku\":\"0815\",\"count\":3,\"address\":{\"city\":\"Köln\",\"street\":\"Domstraße 1\"}}";

    private final HistoryEvent event = HistoryEvent.of(
            17,
            "order-4711::sub::12",
            1,
            1_740_000_000_000L,
            "0.1.32",
            new EventKind.ActivityScheduled("Charge", PAYLOAD, null, null));
    private final WorkItem item =
            new WorkItem.ActivityExecute("order-4711::sub::12", 1, 17, "Charge", PAYLOAD, null, null);
    private final String eventText = HistoryJson.encode(event);
    private final String itemText = WorkItemJson.encode(item);

    /** A history event to its text. */
    @Benchmark
    public String writeHistoryEvent() {
        return HistoryJson.encode(event);
    }

    /** A history event of its text. */
    @Benchmark
    public HistoryEvent readHistoryEvent() {
        return HistoryJson.decode(eventText);
    }

    /** A work item to its text. */
    @Benchmark
    public String writeWorkItem() {
        return WorkItemJson.encode(item);
    }

    /** A work item of its text. */
    @Benchmark
    public WorkItem readWorkItem() {
        return WorkItemJson.decode(itemText);
    }
}
