package io.sluice.durabletask.client;

import io.grpc.Status;
import io.sluice.durabletask.state.OrchestrationStates;
import io.sluice.durabletask.wire.Protocol.CreateInstanceRequest;
import io.sluice.durabletask.wire.Protocol.ExecutionStartedEvent;
import io.sluice.durabletask.wire.Protocol.RestartInstanceRequest;
import io.sluice.durabletask.wire.Protocol.RestartInstanceResponse;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.InstanceSummary;
import java.util.Objects;

/** Starts instances again, from their beginning. Thread-safe. */
public final class Restarts {
    private final States states;
    private final Starts starts;

    /** Of one task hub. */
    public Restarts(States states, Starts starts) {
        this.states = states;
        this.starts = starts;
    }

    /**
     * Starts it again with the name, version, input and tags of its latest execution; under its own id in place of what
     * it was, or under a new one beside it.
     *
     * @throws io.grpc.StatusRuntimeException FAILED_PRECONDITION when it has not ended and would be replaced;
     *     ALREADY_EXISTS when others have replaced it meanwhile
     */
    public RestartInstanceResponse restart(RestartInstanceRequest request) {
        InstanceSummary instance = states.require(request.getInstanceId());
        if (!request.getRestartWithNewInstanceId() && !OrchestrationStates.hasEnded(instance)) {
            throw Status.FAILED_PRECONDITION
                    .withDescription("instance '" + instance.instanceId() + "' has not ended")
                    .asRuntimeException();
        }
        ExecutionStartedEvent started = states.started(instance)
                .orElseThrow(() -> Status.FAILED_PRECONDITION
                        .withDescription("instance '" + instance.instanceId() + "' has no history")
                        .asRuntimeException());
        String id = request.getRestartWithNewInstanceId() ? Wire.newGuid() : instance.instanceId();
        starts.startInPlaceOf(again(id, started), existing -> isUnchanged(existing, instance));
        return RestartInstanceResponse.newBuilder().setInstanceId(id).build();
    }

    /** Whether it has not begun anew since: then it would be started with what is not its own. */
    private static boolean isUnchanged(InstanceSummary now, InstanceSummary ended) {
        return OrchestrationStates.hasEnded(now)
                && now.createdAt().equals(ended.createdAt())
                && now.executionId() == ended.executionId()
                && Objects.equals(now.ext(), ended.ext());
    }

    private static CreateInstanceRequest again(String id, ExecutionStartedEvent started) {
        CreateInstanceRequest.Builder again = CreateInstanceRequest.newBuilder()
                .setInstanceId(id)
                .setName(started.getName())
                .putAllTags(started.getTagsMap());
        if (started.hasVersion()) {
            again.setVersion(started.getVersion());
        }
        if (started.hasInput()) {
            again.setInput(started.getInput());
        }
        return again.build();
    }
}
