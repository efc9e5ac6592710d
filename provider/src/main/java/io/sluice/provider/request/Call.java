package io.sluice.provider.request;

import java.time.Duration;

/**
 * On whose behalf requests are made: for messages, and for how long to try.
 *
 * @param operation the contract's operation in camel case
 * @param subject what it is about, such as {@code instance 'order-7'}
 * @param isScan whether it reads much of the container, and nobody's work waits for it
 */
public record Call(String operation, String subject, Deadline deadline, boolean isScan) {
    /** A call that is no scan. */
    public Call(String operation, String subject, Deadline deadline) {
        this(operation, subject, deadline, false);
    }

    /** A call about an instance. */
    public static Call onInstance(String operation, String instanceId, Duration within) {
        return new Call(operation, "instance '" + instanceId + "'", Deadline.in(within));
    }

    /** A call about the whole container. */
    public static Call onContainer(String operation, Duration within) {
        return new Call(operation, "the container", Deadline.in(within));
    }

    /** A call about the whole container that reads much of it, and that nobody's work waits for. */
    public static Call scan(String operation, Duration within) {
        return new Call(operation, "the container", Deadline.in(within), true);
    }

    /** The same call, tried this long. */
    public Call within(Duration duration) {
        return new Call(operation, subject, Deadline.in(duration), isScan);
    }

    /** The same call, tried no longer than this from now. */
    public Call atMost(Duration duration) {
        return new Call(operation, subject, deadline.orIn(duration), isScan);
    }

    /** The same call with its patience renewed: something of what it wants has come. */
    public Call again() {
        return new Call(operation, subject, deadline.again(), isScan);
    }
}
