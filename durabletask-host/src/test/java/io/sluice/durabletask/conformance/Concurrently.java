package io.sluice.durabletask.conformance;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** Calls that many threads make at the same time. */
final class Concurrently {
    private static final long PATIENCE_SECONDS = 60;

    private Concurrently() {}

    /**
     * What has come of the calls.
     *
     * @param codes of those that were refused
     */
    record Outcomes(int succeeded, List<Status.Code> codes) {}

    static Outcomes run(int threads, IntConsumer call) {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        CyclicBarrier together = new CyclicBarrier(threads);
        try {
            List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int index = i;
                futures.add(executor.submit(() -> {
                    together.await();
                    call.accept(index);
                    return null;
                }));
            }
            return outcomes(futures);
        } finally {
            executor.shutdownNow();
        }
    }

    private static Outcomes outcomes(List<Future<?>> futures) {
        int succeeded = 0;
        List<Status.Code> codes = new ArrayList<>();
        for (Future<?> future : futures) {
            try {
                future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                succeeded++;
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof StatusRuntimeException refusal)) {
                    throw new AssertionError("a call failed in another way than by a status", e);
                }
                codes.add(refusal.getStatus().getCode());
            } catch (Exception e) {
                throw new AssertionError("a call has not ended", e);
            }
        }
        return new Outcomes(succeeded, codes);
    }
}
