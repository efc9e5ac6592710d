package io.sluice.provider.history;

import io.sluice.provider.history.ErrorDetails.ApplicationKind;
import io.sluice.provider.history.ErrorDetails.ConfigurationKind;
import io.sluice.provider.history.ErrorDetails.PoisonedMessage;
import io.sluice.provider.json.JsonFault;
import io.sluice.provider.json.JsonFields;
import io.sluice.provider.json.JsonOutput;
import io.sluice.provider.json.JsonValue;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Error values in events and work items. Unknown fields inside an error value are ignored, as Rust ignores them. */
public final class ErrorDetailsJson {
    private ErrorDetailsJson() {}

    /** Reads one; a {@link JsonFault} says what is wrong. */
    public static ErrorDetails read(JsonValue value) {
        Map.Entry<String, JsonValue> variant = value.asVariant();
        JsonValue body = variant.getValue();
        return switch (variant.getKey()) {
            case "Infrastructure" -> {
                JsonFields fields = JsonFields.of(body, List.of("operation", "message", "retryable"));
                yield new ErrorDetails.Infrastructure(
                        fields.string("operation"), fields.string("message"), fields.bool("retryable"));
            }
            case "Configuration" -> {
                JsonFields fields = JsonFields.of(body, List.of("kind", "resource", "message"));
                yield new ErrorDetails.Configuration(
                        configurationKind(fields.value("kind")),
                        fields.string("resource"),
                        fields.nullableString("message"));
            }
            case "Application" -> {
                JsonFields fields = JsonFields.of(body, List.of("kind", "message", "retryable"));
                yield new ErrorDetails.Application(
                        applicationKind(fields.value("kind")), fields.string("message"), fields.bool("retryable"));
            }
            case "Poison" -> {
                JsonFields fields =
                        JsonFields.of(body, List.of("attempt_count", "max_attempts", "message_type", "message"));
                yield new ErrorDetails.Poison(
                        fields.u32("attempt_count"),
                        fields.u32("max_attempts"),
                        poisonedMessage(fields.value("message_type")),
                        fields.string("message"));
            }
            default -> throw body.fault("expected Infrastructure, Configuration, Application or Poison");
        };
    }

    /** Writes one as the field {@code name}. */
    public static void write(JsonOutput out, String name, ErrorDetails error) throws IOException {
        out.object(name, details -> writeVariant(details, error));
    }

    private static void writeVariant(JsonOutput out, ErrorDetails error) throws IOException {
        if (error instanceof ErrorDetails.Infrastructure infrastructure) {
            out.object("Infrastructure", body -> {
                body.string("operation", infrastructure.operation());
                body.string("message", infrastructure.message());
                body.bool("retryable", infrastructure.retryable());
            });
        } else if (error instanceof ErrorDetails.Configuration configuration) {
            out.object("Configuration", body -> {
                body.string("kind", configuration.kind().wireName());
                body.string("resource", configuration.resource());
                body.stringOrNull("message", configuration.message());
            });
        } else if (error instanceof ErrorDetails.Application application) {
            out.object("Application", body -> {
                writeApplicationKind(body, application.kind());
                body.string("message", application.message());
                body.bool("retryable", application.retryable());
            });
        } else if (error instanceof ErrorDetails.Poison poison) {
            out.object("Poison", body -> {
                body.u64("attempt_count", poison.attemptCount());
                body.u64("max_attempts", poison.maxAttempts());
                body.object("message_type", type -> writePoisonedMessage(type, poison.messageType()));
                body.string("message", poison.message());
            });
        }
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
        if (value.isString()) {
            for (ApplicationKind.Plain kind : ApplicationKind.Plain.values()) {
                if (kind.wireName().equals(value.asString())) {
                    return kind;
                }
            }
        } else {
            Map.Entry<String, JsonValue> variant = value.asVariant();
            if (variant.getKey().equals("Cancelled")) {
                JsonFields fields = JsonFields.of(variant.getValue(), List.of("reason"));
                return new ApplicationKind.Cancelled(fields.string("reason"));
            }
        }
        throw value.fault("expected ActivityFailed, OrchestrationFailed, Panicked or Cancelled");
    }

    private static void writeApplicationKind(JsonOutput out, ApplicationKind kind) throws IOException {
        if (kind instanceof ApplicationKind.Plain plain) {
            out.string("kind", plain.wireName());
        } else if (kind instanceof ApplicationKind.Cancelled cancelled) {
            out.object("kind", object -> object.object("Cancelled", body -> body.string("reason", cancelled.reason())));
        }
    }

    private static PoisonedMessage poisonedMessage(JsonValue value) {
        Map.Entry<String, JsonValue> variant = value.asVariant();
        JsonValue body = variant.getValue();
        return switch (variant.getKey()) {
            case "Orchestration" -> {
                JsonFields fields = JsonFields.of(body, List.of("instance", "execution_id"));
                yield new PoisonedMessage.Orchestration(fields.string("instance"), fields.u64("execution_id"));
            }
            case "Activity" -> {
                JsonFields fields =
                        JsonFields.of(body, List.of("instance", "execution_id", "activity_name", "activity_id"));
                yield new PoisonedMessage.Activity(
                        fields.string("instance"),
                        fields.u64("execution_id"),
                        fields.string("activity_name"),
                        fields.u64("activity_id"));
            }
            case "FailedDeserialization" -> {
                JsonFields fields = JsonFields.of(body, List.of("instance", "execution_id", "error"));
                yield new PoisonedMessage.FailedDeserialization(
                        fields.string("instance"), fields.u64("execution_id"), fields.string("error"));
            }
            default -> throw body.fault("expected Orchestration, Activity or FailedDeserialization");
        };
    }

    private static void writePoisonedMessage(JsonOutput out, PoisonedMessage message) throws IOException {
        if (message instanceof PoisonedMessage.Orchestration turn) {
            out.object("Orchestration", body -> {
                body.string("instance", turn.instance());
                body.u64("execution_id", turn.executionId());
            });
        } else if (message instanceof PoisonedMessage.Activity activity) {
            out.object("Activity", body -> {
                body.string("instance", activity.instance());
                body.u64("execution_id", activity.executionId());
                body.string("activity_name", activity.activityName());
                body.u64("activity_id", activity.activityId());
            });
        } else if (message instanceof PoisonedMessage.FailedDeserialization unreadable) {
            out.object("FailedDeserialization", body -> {
                body.string("instance", unreadable.instance());
                body.u64("execution_id", unreadable.executionId());
                body.string("error", unreadable.error());
            });
        }
    }
}
