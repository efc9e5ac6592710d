package io.sluice.provider.history;

import io.sluice.provider.history.ErrorDetails.ApplicationKind;
import io.sluice.provider.history.ErrorDetails.ConfigurationKind;
import io.sluice.provider.history.ErrorDetails.PoisonedMessage;
import io.sluice.provider.json.JsonFault;
import io.sluice.provider.json.JsonOutput;
import io.sluice.provider.json.JsonValue;
import io.sluice.provider.json.Variant;
import io.sluice.provider.json.VariantTable;
import java.io.IOException;
import java.util.List;

/**
 * Error values in events and work items: an object whose one key names the variant. Unknown fields inside an error
 * value are ignored, as Rust ignores them. A {@link JsonFault} says what is wrong.
 */
public final class ErrorDetailsJson {
    private static final VariantTable<ApplicationKind> APPLICATION_KINDS = new VariantTable<>(List.of(new Variant<>(
            "Cancelled",
            ApplicationKind.Cancelled.class,
            List.of("reason"),
            f -> new ApplicationKind.Cancelled(f.string("reason")),
            (out, kind) -> out.string("reason", kind.reason()))));

    private static final VariantTable<PoisonedMessage> POISONED = new VariantTable<>(List.of(
            new Variant<>(
                    "Orchestration",
                    PoisonedMessage.Orchestration.class,
                    List.of("instance", "execution_id"),
                    f -> new PoisonedMessage.Orchestration(f.string("instance"), f.u64("execution_id")),
                    (out, turn) -> {
                        out.string("instance", turn.instance());
                        out.u64("execution_id", turn.executionId());
                    }),
            new Variant<>(
                    "Activity",
                    PoisonedMessage.Activity.class,
                    List.of("instance", "execution_id", "activity_name", "activity_id"),
                    f -> new PoisonedMessage.Activity(
                            f.string("instance"),
                            f.u64("execution_id"),
                            f.string("activity_name"),
                            f.u64("activity_id")),
                    (out, activity) -> {
                        out.string("instance", activity.instance());
                        out.u64("execution_id", activity.executionId());
                        out.string("activity_name", activity.activityName());
                        out.u64("activity_id", activity.activityId());
                    }),
            new Variant<>(
                    "FailedDeserialization",
                    PoisonedMessage.FailedDeserialization.class,
                    List.of("instance", "execution_id", "error"),
                    f -> new PoisonedMessage.FailedDeserialization(
                            f.string("instance"), f.u64("execution_id"), f.string("error")),
                    (out, turn) -> {
                        out.string("instance", turn.instance());
                        out.u64("execution_id", turn.executionId());
                        out.string("error", turn.error());
                    })));

    static final VariantTable<ErrorDetails> VARIANTS = new VariantTable<>(List.of(
            new Variant<>(
                    "Infrastructure",
                    ErrorDetails.Infrastructure.class,
                    List.of("operation", "message", "retryable"),
                    f -> new ErrorDetails.Infrastructure(
                            f.string("operation"), f.string("message"), f.bool("retryable")),
                    (out, error) -> {
                        out.string("operation", error.operation());
                        out.string("message", error.message());
                        out.bool("retryable", error.retryable());
                    }),
            new Variant<>(
                    "Configuration",
                    ErrorDetails.Configuration.class,
                    List.of("kind", "resource", "message"),
                    f -> new ErrorDetails.Configuration(
                            configurationKind(f.value("kind")), f.string("resource"), f.nullableString("message")),
                    (out, error) -> {
                        out.string("kind", error.kind().wireName());
                        out.string("resource", error.resource());
                        out.stringOrNull("message", error.message());
                    }),
            new Variant<>(
                    "Application",
                    ErrorDetails.Application.class,
                    List.of("kind", "message", "retryable"),
                    f -> new ErrorDetails.Application(
                            applicationKind(f.value("kind")), f.string("message"), f.bool("retryable")),
                    (out, error) -> {
                        writeApplicationKind(out, error.kind());
                        out.string("message", error.message());
                        out.bool("retryable", error.retryable());
                    }),
            new Variant<>(
                    "Poison",
                    ErrorDetails.Poison.class,
                    List.of("attempt_count", "max_attempts", "message_type", "message"),
                    f -> new ErrorDetails.Poison(
                            f.u32("attempt_count"),
                            f.u32("max_attempts"),
                            POISONED.readTagged(f.value("message_type")),
                            f.string("message")),
                    (out, error) -> {
                        out.u64("attempt_count", error.attemptCount());
                        out.u64("max_attempts", error.maxAttempts());
                        out.object("message_type", type -> POISONED.writeTagged(type, error.messageType()));
                        out.string("message", error.message());
                    })));

    private ErrorDetailsJson() {}

    /** Reads one. */
    public static ErrorDetails read(JsonValue value) {
        return VARIANTS.readTagged(value);
    }

    /** Writes one as the field {@code name}. */
    public static void write(JsonOutput out, String name, ErrorDetails error) throws IOException {
        out.object(name, details -> VARIANTS.writeTagged(details, error));
    }

    private static ConfigurationKind configurationKind(JsonValue value) {
        for (ConfigurationKind kind : ConfigurationKind.values()) {
            if (kind.wireName().equals(value.asString())) {
                return kind;
            }
        }
        throw value.fault("expected Nondeterminism");
    }

    private static ApplicationKind applicationKind(JsonValue value) {
        if (!value.isString()) {
            return APPLICATION_KINDS.readTagged(value);
        }
        for (ApplicationKind.Plain kind : ApplicationKind.Plain.values()) {
            if (kind.wireName().equals(value.asString())) {
                return kind;
            }
        }
        throw value.fault("expected ActivityFailed, OrchestrationFailed, Panicked or Cancelled");
    }

    private static void writeApplicationKind(JsonOutput out, ApplicationKind kind) throws IOException {
        if (kind instanceof ApplicationKind.Plain plain) {
            out.string("kind", plain.wireName());
        } else {
            out.object("kind", tagged -> APPLICATION_KINDS.writeTagged(tagged, kind));
        }
    }
}
