package io.sluice.provider.request;

import java.time.Duration;

/**
 * On whose behalf requests are made: for messages, and for how long to try.
 *
 * @param operation the contract's operation in camel case
 * @param subject what it is about, such as {@code instance 'order-7'}
 */
public record Call(String operation, String subject, Deadline deadline) {
    /** A call about an instance. */
    public static Call onInstance(String operation, String instanceId, Duration within) {
        return new Call(operation, "instance '" + instanceId + "'", Deadline.in(within));
    }

    /** A call about the whole container. */
    public static Call onContainer(String operation, Duration within) {
        return new Call(operation, "the container", Deadline.in(within));
    }

    /** The same call, tried this long. */
    public Call within(Duration duration) {
        return new Call(operation, subject, Deadline.in(duration));
    }

    /** The same call, tried no longer than this from now. */
    public Call atMost(Duration duration) {
        return new Call(operation, subject, deadline.orIn(duration));
    }

    /** The same call with its patience renewed: something of what it wants has come. */
    public Call again() {
        return new Call(operation, subject, deadline.again());
    }
}
