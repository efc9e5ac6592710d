package io.sluice.client.lifecycle;

/** What to do about a record that could not be handled. */
public enum Verdict {
    /**
     * Hand it over again after a pause that grows (0.1 s to 30 s); what follows it in its partition waits, other
     * partitions go on.
     */
    RETRY,
    /** Leave it and go on; it counts as handled. */
    SKIP,
    /** End the reader; what was handled is committed, this is not. */
    STOP
}
