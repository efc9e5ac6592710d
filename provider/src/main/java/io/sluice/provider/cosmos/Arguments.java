package io.sluice.provider.cosmos;

import io.sluice.provider.ProviderException;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.json.Surrogates;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks what callers of a provider pass, before anything is asked of the store. What makes no sense is a permanent
 * {@link ProviderException} that names the argument; null, a fault of the code, is not. Times beyond a century count as
 * a century, so that no sum of one with a clock overflows.
 */
final class Arguments {
    /** In nanoseconds a third of what a {@code long} holds. */
    static final Duration LONGEST = Duration.ofDays(36_500);

    private Arguments() {}

    /** A time that is longer than none, such as a lock's. */
    static Duration positive(String operation, String name, Duration value) {
        if (required(name, value).isNegative() || value.isZero()) {
            throw refused(operation, name + " must be positive, was " + value);
        }
        return bounded(value);
    }

    /** A time that may be none, such as a poll's. */
    static Duration notNegative(String operation, String name, Duration value) {
        if (required(name, value).isNegative()) {
            throw refused(operation, name + " must not be negative, was " + value);
        }
        return bounded(value);
    }

    /** A delay; null and what lies in the past are none. */
    static Duration delay(@Nullable Duration value) {
        return value == null || value.isNegative() ? Duration.ZERO : bounded(value);
    }

    static Duration bounded(Duration value) {
        return value.compareTo(LONGEST) > 0 ? LONGEST : value;
    }

    static @Nullable SessionFetchConfig session(String operation, @Nullable SessionFetchConfig session) {
        return session == null
                ? null
                : new SessionFetchConfig(
                        session.ownerId(), positive(operation, "session.lockTimeout", session.lockTimeout()));
    }

    /** An item for the orchestrator queue. */
    static WorkItem message(String operation, String name, WorkItem item) {
        if (required(name, item) instanceof WorkItem.ActivityExecute) {
            throw refused(
                    operation,
                    name + " must be a message to an orchestration, enqueueForWorker takes activities; was "
                            + item.variant());
        }
        return item;
    }

    /**
     * What an activity's ack sends to an orchestration; null when it sends nothing.
     *
     * @param named the activity that it must be the completion of; null when it may be any
     */
    static @Nullable WorkItem completion(
            String operation, @Nullable WorkItem completion, @Nullable ScheduledActivityIdentifier named) {
        if (completion == null) {
            return null;
        }
        ScheduledActivityIdentifier completed;
        if (completion instanceof WorkItem.ActivityCompleted c) {
            completed = new ScheduledActivityIdentifier(c.instance(), c.executionId(), c.id());
        } else if (completion instanceof WorkItem.ActivityFailed f) {
            completed = new ScheduledActivityIdentifier(f.instance(), f.executionId(), f.id());
        } else {
            throw refused(
                    operation, "completion must be ActivityCompleted or ActivityFailed, was " + completion.variant());
        }
        if (named != null && !completed.equals(named)) {
            throw refused(operation, "completion must be of " + named + ", was of " + completed);
        }
        return completion;
    }

    static List<String> strings(String operation, String name, List<String> values) {
        for (int i = 0; i < required(name, values).size(); i++) {
            text(operation, name + "[" + i + "]", values.get(i));
        }
        return values;
    }

    static String notEmpty(String operation, String name, String value) {
        if (required(name, value).isEmpty()) {
            throw refused(operation, name + " must not be empty");
        }
        return text(operation, name, value);
    }

    /** A text that can be stored. */
    static String text(String operation, String name, String value) {
        try {
            return Surrogates.refuse(name, required(name, value));
        } catch (IllegalArgumentException e) {
            throw ProviderException.permanent(operation, String.valueOf(e.getMessage()), e);
        }
    }

    private static ProviderException refused(String operation, String message) {
        return ProviderException.permanent(operation, message);
    }

    /** Fails with the name of the argument that is null. */
    static <T> T required(String name, T value) {
        return Objects.requireNonNull(value, name);
    }
}
