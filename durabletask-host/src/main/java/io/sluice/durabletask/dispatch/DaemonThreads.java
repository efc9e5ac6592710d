package io.sluice.durabletask.dispatch;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads with a name and a number that keep no process alive. */
public final class DaemonThreads {
    private DaemonThreads() {}

    /** Makes threads of this name. */
    public static ThreadFactory named(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
