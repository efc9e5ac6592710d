package io.sluice.examples.runtime;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Numbered daemon threads. */
final class NamedThreads implements ThreadFactory {
    private final AtomicInteger next = new AtomicInteger();
    private final String prefix;

    NamedThreads(String prefix) {
        this.prefix = prefix;
    }

    @Override
    public Thread newThread(Runnable work) {
        Thread thread = new Thread(work, prefix + "-" + next.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
