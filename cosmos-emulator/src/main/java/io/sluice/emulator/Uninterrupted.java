package io.sluice.emulator;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Runs work for a thread of a test where no interrupt of that thread, such as by a timeout, reaches it: an interrupt
 * closes the store's file for the rest of the process.
 */
final class Uninterrupted {
    private Uninterrupted() {}

    /** Returns what the work returns, or throws what it throws, when it has ended. The interrupt is kept. */
    static <T> T call(Supplier<T> work) {
        var task = new FutureTask<T>(work::get);
        var thread = new Thread(task, "cosmos-emulator-call");
        thread.setDaemon(true);
        thread.start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw unchecked(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static void run(Runnable work) {
        call(() -> {
            work.run();
            return true;
        });
    }

    private static RuntimeException unchecked(ExecutionException failure) {
        if (failure.getCause() instanceof Error error) {
            throw error;
        }
        return failure.getCause() instanceof RuntimeException unchecked
                ? unchecked
                : new IllegalStateException("The work failed", failure);
    }
}
