package io.sluice.provider.cosmos;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.provider.ProviderException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lets a process die at one of its requests: those before it go through, from it on none does, and the thread is told
 * to stop. Meant for one actor at a time.
 */
final class CrashPoint {
    private CrashPoint() {}

    /** How the last request of the dead ended. */
    enum LastRequest {
        /** It was answered, and the process died before the next. */
        ANSWERED,
        /** It was applied, but its answer was lost. */
        ANSWER_LOST
    }

    /**
     * Runs an action that dies after its n-th data request.
     *
     * @return whether it died; false when it has fewer requests, and ended in the ordinary way
     */
    static boolean dies(CosmosEmulator emulator, int afterRequests, LastRequest last, Runnable action) {
        AtomicInteger seen = new AtomicInteger();
        AtomicBoolean died = new AtomicBoolean();
        AtomicReference<@Nullable Thread> actor = new AtomicReference<>();
        Predicate<LoggedRequest> data = request -> request.operation().isData();
        FaultRule end = emulator.faults()
                .dropConnection(
                        data.and(request -> {
                            if (seen.incrementAndGet() <= afterRequests) {
                                return false;
                            }
                            died.set(true);
                            Thread thread = actor.get();
                            if (thread != null) {
                                thread.interrupt();
                            }
                            return true;
                        }),
                        0);
        @Nullable
        FaultRule lost = last == LastRequest.ANSWER_LOST && afterRequests > 0
                ? emulator.faults().loseAnswer(data, afterRequests)
                : null;
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        action.run();
                    } catch (ProviderException e) {
                        if (!died.get()) {
                            failure.set(e);
                        }
                    } catch (RuntimeException | Error e) {
                        failure.set(e);
                    }
                },
                "to-die");
        actor.set(thread);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            end.remove();
            if (lost != null) {
                lost.remove();
            }
        }
        Throwable unexpected = failure.get();
        if (unexpected != null) {
            throw new AssertionError("the actor failed otherwise than by dying", unexpected);
        }
        return died.get();
    }
}
