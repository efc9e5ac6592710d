package io.sluice.provider.announcement;

/** The two queues whose work is announced. */
public enum WorkQueue {
    /** Messages to instances; the work of one instance is announced in order, to one process at a time. */
    TURNS,
    /** Activities; each is announced to whichever worker is free. */
    ACTIVITIES
}
