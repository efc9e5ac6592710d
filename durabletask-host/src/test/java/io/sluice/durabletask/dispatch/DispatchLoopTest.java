package io.sluice.durabletask.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.durabletask.worker.Connection;
import io.sluice.durabletask.worker.FakeStream;
import io.sluice.durabletask.worker.WorkKind;
import io.sluice.durabletask.worker.WorkerOffer;
import io.sluice.durabletask.worker.Workers;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DispatchLoopTest {
    @Test
    void a_failure_that_nobody_has_foreseen_ends_no_dispatcher() {
        Workers workers = new Workers();
        workers.connect(new WorkerOffer(Map.of(), Map.of(), false), new Connection(), new FakeStream());
        AtomicInteger steps = new AtomicInteger();
        DispatchLoop.Step step = filter -> {
            if (steps.incrementAndGet() == 2) {
                workers.close();
                return;
            }
            throw new IllegalStateException("the stream is in a state that nobody knows");
        };

        new DispatchLoop(WorkKind.TURN, workers, step, new CountDownLatch(1)).run();

        assertThat(steps).hasValue(2);
    }
}
