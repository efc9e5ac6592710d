package io.sluice.durabletask.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.durabletask.wire.Protocol.GetWorkItemsRequest;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.worker.Connection;
import io.sluice.durabletask.worker.FakeStream;
import io.sluice.durabletask.worker.WorkKind;
import io.sluice.durabletask.worker.WorkerOffer;
import io.sluice.durabletask.worker.Workers;
import io.sluice.provider.ProviderException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BoardTest {
    private static final DispatchTiming TIMING = DispatchTiming.USUAL;

    private final AtomicLong nanos = new AtomicLong();
    private final Workers workers = new Workers();
    private final FailingLocks locks = new FailingLocks();

    @SuppressWarnings("NullAway") // no provider is asked: the locks are the test's own
    private final Board<String> board = new Board<>(
            WorkKind.TURN,
            locks,
            new DispatchContext(
                    "hub",
                    "host",
                    null,
                    workers,
                    TIMING,
                    DispatchLimits.USUAL,
                    new DispatchMeters(new SimpleMeterRegistry(), "hub", workers),
                    InstantSource.system(),
                    nanos::get));

    /** Locks that can't be renewed. */
    private static final class FailingLocks implements LockOperations {
        private ProviderException failure = ProviderException.retryable("renew", "busy", null);

        @Override
        public void renew(String lockToken, Duration extendFor) {
            throw failure;
        }

        @Override
        public void abandon(String lockToken, @Nullable Duration delay, boolean ignoreAttempt) {
            throw new AssertionError("nothing is given back");
        }
    }

    /** A turn in a worker's hand. Returns its token. */
    private String handed() {
        var request = GetWorkItemsRequest.newBuilder()
                .setMaxConcurrentOrchestrationWorkItems(1)
                .build();
        workers.connect(WorkerOffer.of(request, 1), new Connection(), new FakeStream());
        var stream = workers.assign(WorkKind.TURN, "Order", "").orElseThrow();
        var token = new CompletionToken("host", WorkKind.TURN, "lock", "order-1", 1, 0, 0);
        var end = LockEnd.from(nanos::get, nanos.get(), TIMING);
        board.hand(
                new Assignment<>(token, "order-1", "work", 1, stream, end),
                WorkItem.newBuilder().setCompletionToken(token.text()).build());
        return token.text();
    }

    private void renewAfter(Duration time) {
        nanos.addAndGet(time.toNanos());
        board.renewDue(Runnable::run);
    }

    @Test
    void what_can_not_be_renewed_now_stays_in_the_workers_hand_until_its_lock_is_over() {
        String token = handed();

        renewAfter(TIMING.renewal());
        assertThat(board.peek(token)).as("it is tried again").isPresent();

        renewAfter(TIMING.lock().minus(TIMING.renewal()));
        assertThat(board.peek(token)).isEmpty();
        assertThat(workers.inHand(WorkKind.TURN)).isZero();
    }

    @Test
    void what_somebody_else_has_taken_is_out_of_the_workers_hand_at_once() {
        String token = handed();
        locks.failure = ProviderException.permanent("renew", "Invalid lock token");

        renewAfter(TIMING.renewal());

        assertThat(board.peek(token)).isEmpty();
        assertThat(workers.inHand(WorkKind.TURN)).isZero();
    }
}
