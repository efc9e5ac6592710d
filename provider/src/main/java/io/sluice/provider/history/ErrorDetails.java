package io.sluice.provider.history;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import io.sluice.provider.json.Unsigned32;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Why an activity or an orchestration failed. Written as an object whose one key names the variant. */
public sealed interface ErrorDetails {
    /** What a human reads; empty when the error carries none. */
    String text();

    /**
     * The machinery failed: storage, network, the runtime itself.
     *
     * @param operation what was tried
     * @param retryable whether trying again could help
     */
    record Infrastructure(String operation, String message, boolean retryable) implements ErrorDetails {
        public Infrastructure {
            Objects.requireNonNull(operation, "operation");
            Objects.requireNonNull(message, "message");
        }

        @Override
        public String text() {
            return message;
        }
    }

    /**
     * Code and history, or code and deployment, don't fit.
     *
     * @param resource the orchestration or activity concerned
     */
    record Configuration(
            ConfigurationKind kind,
            String resource,
            @JsonInclude @Nullable String message) implements ErrorDetails {
        public Configuration {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(resource, "resource");
        }

        @Override
        public String text() {
            return message == null ? "" : message;
        }
    }

    /**
     * User code failed.
     *
     * @param retryable whether the code says that trying again could help
     */
    record Application(ApplicationKind kind, String message, boolean retryable) implements ErrorDetails {
        public Application {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(message, "message");
        }

        @Override
        public String text() {
            return message;
        }
    }

    /**
     * A message was fetched more often than allowed and given up.
     *
     * @param attemptCount how often, unsigned 32-bit
     * @param maxAttempts how often it may be, unsigned 32-bit
     * @param messageType what was given up
     */
    record Poison(
            @Unsigned32 long attemptCount, @Unsigned32 long maxAttempts, PoisonedMessage messageType, String message)
            implements ErrorDetails {
        private static final long MAX_U32 = 0xFFFF_FFFFL;

        public Poison {
            requireU32("attemptCount", attemptCount);
            requireU32("maxAttempts", maxAttempts);
            Objects.requireNonNull(messageType, "messageType");
            Objects.requireNonNull(message, "message");
        }

        @Override
        public String text() {
            return message;
        }

        private static void requireU32(String name, long value) {
            if (value < 0 || value > MAX_U32) {
                throw new IllegalArgumentException(name + " must fit unsigned 32 bits, was " + value);
            }
        }
    }

    /** What kind of configuration fault it is. */
    enum ConfigurationKind {
        /** Replaying the code did not reproduce the history. */
        NONDETERMINISM("Nondeterminism");

        private final String wireName;

        ConfigurationKind(String wireName) {
            this.wireName = wireName;
        }

        /** The name as it is written. */
        @JsonValue
        public String wireName() {
            return wireName;
        }
    }

    /** How user code failed. */
    sealed interface ApplicationKind {
        /** A failure that needs no more words. */
        enum Plain implements ApplicationKind {
            /** The activity returned an error. */
            ACTIVITY_FAILED("ActivityFailed"),
            /** The orchestration returned an error. */
            ORCHESTRATION_FAILED("OrchestrationFailed"),
            /** The code panicked, or threw what it does not declare. */
            PANICKED("Panicked");

            private final String wireName;

            Plain(String wireName) {
                this.wireName = wireName;
            }

            /** The name as it is written. */
            @JsonValue
            public String wireName() {
                return wireName;
            }
        }

        /** The work was cancelled. */
        record Cancelled(String reason) implements ApplicationKind {
            public Cancelled {
                Objects.requireNonNull(reason, "reason");
            }
        }
    }

    /** Which message was given up. */
    sealed interface PoisonedMessage {
        /** A turn. */
        record Orchestration(String instance, long executionId) implements PoisonedMessage {
            public Orchestration {
                Objects.requireNonNull(instance, "instance");
            }
        }

        /** An activity. */
        record Activity(String instance, long executionId, String activityName, long activityId)
                implements PoisonedMessage {
            public Activity {
                Objects.requireNonNull(instance, "instance");
                Objects.requireNonNull(activityName, "activityName");
            }
        }

        /** A turn whose history cannot be read. */
        record FailedDeserialization(String instance, long executionId, String error) implements PoisonedMessage {
            public FailedDeserialization {
                Objects.requireNonNull(instance, "instance");
                Objects.requireNonNull(error, "error");
            }
        }
    }
}
