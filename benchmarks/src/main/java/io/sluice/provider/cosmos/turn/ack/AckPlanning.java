package io.sluice.provider.cosmos.turn.ack;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.turn.lock.HeldTurn;
import io.sluice.provider.cosmos.turn.read.KeyValues;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.QueueDocuments;
import io.sluice.provider.document.Stored;
import io.sluice.provider.document.TimeOrderedIds;
import io.sluice.provider.document.UnknownFields;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
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

/** How long it takes to plan the batch of an ack: a message consumed, two events, an activity. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class AckPlanning {
    private static final long NOW = 1_740_000_000_000L;
    private static final String INSTANCE = "order-4711";
    private static final String TOKEN = "0196b7c2-8f11-7cc3-9d0a-3f5b6c7d8e9f";

    private final TimeOrderedIds ids = new TimeOrderedIds(new SecureRandom());
    private final InstanceDocument instance = new InstanceDocument(
            INSTANCE,
            "Order",
            "1.0.0",
            1,
            "Running",
            null,
            null,
            1_032L,
            null,
            0,
            TOKEN,
            NOW + 5_000,
            1,
            2,
            null,
            UnknownFields.NONE);
    private final HeldTurn.Contents contents = new HeldTurn.Contents(
            List.of(QueueDocuments.message("ack", "m1", new WorkItem.ExternalRaised(INSTANCE, "go", "{}"), NOW, NOW)),
            KeyValues.NONE,
            List.of(),
            false,
            true);
    private final TurnAck ack = TurnAck.of(TOKEN, 1)
            .withHistory(List.of(
                    event(1, new EventKind.OrchestrationStarted("Order", "1.0.0", "{}", null, null, null, null, null)),
                    event(2, new EventKind.ActivityScheduled("Charge", "{}", null, null))))
            .withWorkerItems(List.of(new WorkItem.ActivityExecute(INSTANCE, 1, 2, "Charge", "{}", null, null)))
            .withMetadata(ExecutionMetadata.NONE.withOrchestration("Order", "1.0.0"));

    private static HistoryEvent event(long id, EventKind kind) {
        return HistoryEvent.of(id, INSTANCE, 1, NOW, "0.1.32", kind);
    }

    /** The plan, and whether it fits one batch. */
    @Benchmark
    public boolean planOfAnAck() {
        var input = new TurnPlan.Input(
                new Stored<>(instance, "\"etag-1\""),
                contents,
                true,
                List.of(),
                Set.of(),
                new TurnSettings(true, 8, TurnSettings.DELIVERY_TIMEOUT, false, false, false),
                ids,
                NOW);
        return TurnPlan.of(ack, input).fitsOneBatch();
    }
}
