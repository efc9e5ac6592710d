package io.sluice.provider.kafka.thread;

/** A thread's work. {@link #stop} may come from any thread, also before {@link #run}, and more than once. */
public interface FeedLoop extends Runnable {
    /** Of the thread. */
    String name();

    /** Makes {@link #run} return soon. */
    void stop();
}
