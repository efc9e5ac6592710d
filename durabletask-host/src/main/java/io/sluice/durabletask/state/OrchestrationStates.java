package io.sluice.durabletask.state;

import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.OrchestrationState;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.TaskFailureDetails;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.ExtCondition;
import io.sluice.provider.InstanceExt;
import io.sluice.provider.InstanceSummary;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Instances as clients of DurableTask see them. Of an instance that no host has acked so far, or that another runtime
 * runs, only what the provider's own fields say: no tags, no GUID, no time of completion; as running also before its
 * first turn and between two executions.
 */
public final class OrchestrationStates {
    private static final String COMPLETED = "Completed";
    private static final String FAILED = "Failed";

    /** The type of a failure that only has a text. */
    private static final String UNKNOWN_TYPE = "OrchestrationFailed";

    private static final Set<OrchestrationStatus> ENDS = Set.of(
            OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED,
            OrchestrationStatus.ORCHESTRATION_STATUS_FAILED,
            OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED,
            OrchestrationStatus.ORCHESTRATION_STATUS_CANCELED);

    private OrchestrationStates() {}

    /** Whether no execution follows one with this status. */
    public static boolean isEnd(OrchestrationStatus status) {
        return ENDS.contains(status);
    }

    /** Whether a host has started an instance, or committed a turn of it. */
    public static boolean isKept(InstanceSummary instance) {
        return InstanceState.of(instance.ext()).isPresent();
    }

    /** Whether an instance does not go on by itself. */
    public static boolean hasEnded(InstanceSummary instance) {
        return isEnd(status(instance));
    }

    /** Whether an instance waits for a time to start at, suspended or not. */
    public static boolean isStartAhead(InstanceSummary instance, Instant now) {
        return startAhead(instance, now).isPresent();
    }

    private static Optional<InstanceState> startAhead(InstanceSummary instance, Instant now) {
        return kept(instance)
                .filter(kept -> kept.status() == OrchestrationStatus.ORCHESTRATION_STATUS_PENDING
                        || kept.status() == OrchestrationStatus.ORCHESTRATION_STATUS_SUSPENDED)
                .filter(kept ->
                        kept.scheduledStart() != null && kept.scheduledStart().isAfter(now));
    }

    /** What is to be kept along with an instance that waits for a time to start at, under another status. */
    public static Optional<InstanceExt> aheadOfStart(
            InstanceSummary instance, OrchestrationStatus status, Instant now) {
        return startAhead(instance, now).map(kept -> kept.withStatus(status).toExt());
    }

    /** Whether both show one execution of one instance, and not another one under its id. */
    public static boolean isSame(InstanceSummary one, InstanceSummary other) {
        return one.createdAt().equals(other.createdAt())
                && kept(one)
                        .map(InstanceState::executionGuid)
                        .equals(kept(other).map(InstanceState::executionGuid));
    }

    /** The status of an instance. */
    public static OrchestrationStatus status(InstanceSummary instance) {
        return kept(instance).map(InstanceState::status).orElseGet(() -> plainStatus(instance));
    }

    /** The instance that has started this one and awaits its result; empty for a root. */
    public static Optional<String> parent(InstanceSummary instance) {
        return kept(instance)
                .flatMap(kept -> Optional.ofNullable(kept.parentInstance()))
                .or(() -> Optional.ofNullable(instance.parentInstanceId()));
    }

    /** An instance without input and output; with its custom status if the summary was read with texts. */
    public static OrchestrationState withoutPayloads(InstanceSummary instance) {
        return builder(instance).build();
    }

    /** Whether the execution that an instance is in was started with an input, as far as is known. */
    public static boolean hasInput(InstanceSummary instance) {
        return kept(instance).map(kept -> kept.inputCharacters() >= 0).orElse(true);
    }

    /** Id of the event that holds an output which had no room with the instance; empty for any other output. */
    public static OptionalLong outputEvent(InstanceSummary instance) {
        return kept(instance)
                .filter(kept -> kept.outputEvent() > 0)
                .map(kept -> OptionalLong.of(kept.outputEvent()))
                .orElse(OptionalLong.empty());
    }

    /** An instance without its input; with output and custom status if the summary was read with texts. */
    public static OrchestrationState withPayloads(InstanceSummary instance) {
        OrchestrationState.Builder state = builder(instance);
        InstanceSummary.Texts texts = instance.texts();
        if (texts == null) {
            return state.build();
        }
        // What is stored as output is a failure's message, or the next input, in other states.
        boolean hasOutput = isEnd(state.getOrchestrationStatus())
                && state.getOrchestrationStatus() != OrchestrationStatus.ORCHESTRATION_STATUS_FAILED;
        if (hasOutput && texts.output() != null) {
            state.setOutput(Wire.text(texts.output()));
        }
        return state.build();
    }

    private static OrchestrationState.Builder builder(InstanceSummary instance) {
        OrchestrationState.Builder state = OrchestrationState.newBuilder()
                .setInstanceId(instance.instanceId())
                .setName(instance.orchestrationName())
                .setOrchestrationStatus(status(instance))
                .setCreatedTimestamp(Wire.timestamp(instance.createdAt()))
                .setLastUpdatedTimestamp(Wire.timestamp(instance.updatedAt()));
        if (!instance.orchestrationVersion().isEmpty()) {
            state.setVersion(Wire.text(instance.orchestrationVersion()));
        }
        String parent = instance.parentInstanceId();
        if (parent != null) {
            state.setParentInstanceId(Wire.text(parent));
        }
        String customStatus = instance.texts() == null
                ? null
                : instance.texts().customStatus().status();
        if (customStatus != null) {
            state.setCustomStatus(Wire.text(customStatus));
        }
        kept(instance).ifPresent(kept -> add(state, kept));
        failure(instance).ifPresent(state::setFailureDetails);
        return state;
    }

    private static void add(OrchestrationState.Builder state, InstanceState kept) {
        state.putAllTags(kept.tags());
        if (!kept.executionGuid().isEmpty()) {
            state.setExecutionId(Wire.text(kept.executionGuid()));
        }
        if (kept.parentInstance() != null) {
            state.setParentInstanceId(Wire.text(kept.parentInstance()));
        }
        if (kept.scheduledStart() != null) {
            state.setScheduledStartTimestamp(Wire.timestamp(kept.scheduledStart()));
        }
        if (kept.completedAt() != null) {
            state.setCompletedTimestamp(Wire.timestamp(kept.completedAt()));
        }
    }

    /** What a host has kept, unless another runtime has ended the instance since. */
    private static Optional<InstanceState> kept(InstanceSummary instance) {
        boolean hasEnded = isEnd(plainStatus(instance));
        return InstanceState.of(instance.ext()).filter(kept -> !hasEnded || isEnd(kept.status()));
    }

    private static OrchestrationStatus plainStatus(InstanceSummary instance) {
        return switch (instance.status()) {
            case COMPLETED -> OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED;
            case FAILED -> OrchestrationStatus.ORCHESTRATION_STATUS_FAILED;
            default -> OrchestrationStatus.ORCHESTRATION_STATUS_RUNNING;
        };
    }

    /** The message of a failure is stored in full as output; what is kept along may have lost its end. */
    private static Optional<TaskFailureDetails> failure(InstanceSummary instance) {
        Optional<InstanceState> kept = kept(instance);
        TaskFailureDetails failure = kept.map(InstanceState::failure).orElse(null);
        InstanceSummary.Texts texts = instance.texts();
        String output = texts == null ? null : texts.output();
        if (output == null || status(instance) != OrchestrationStatus.ORCHESTRATION_STATUS_FAILED) {
            return Optional.ofNullable(failure);
        }
        if (failure != null) {
            return Optional.of(failure.toBuilder().setErrorMessage(output).build());
        }
        return kept.isPresent()
                ? Optional.empty()
                : Optional.of(Protocol.TaskFailureDetails.newBuilder()
                        .setErrorType(UNKNOWN_TYPE)
                        .setErrorMessage(output)
                        .build());
    }

    /** Selects instances with one of these statuses, at least one, among those that a host has acked or started. */
    public static ExtCondition withStatus(Collection<OrchestrationStatus> statuses) {
        return new ExtCondition.OneOf(
                InstanceState.STATUS,
                statuses.stream().distinct().map(InstanceState::text).toList());
    }

    /**
     * Selects instances that have ended within these bounds, both included, to the millisecond.
     *
     * @param from null for any
     * @param to null for any
     */
    public static ExtCondition completed(@Nullable Instant from, @Nullable Instant to) {
        return new ExtCondition.Between(
                InstanceState.COMPLETED_AT,
                from == null ? null : Long.valueOf(from.toEpochMilli()),
                to == null ? null : Long.valueOf(to.toEpochMilli()));
    }
}
