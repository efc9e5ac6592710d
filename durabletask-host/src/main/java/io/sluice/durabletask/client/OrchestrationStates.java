package io.sluice.durabletask.client;

import io.sluice.durabletask.wire.Protocol.ExecutionStartedEvent;
import io.sluice.durabletask.wire.Protocol.OrchestrationState;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.InstanceExt;
import io.sluice.provider.InstanceSummary;

final class OrchestrationStates {
    private OrchestrationStates() {}

    static InstanceExt pending(ExecutionStartedEvent started) {
        return new InstanceExt("{\"status\":\"PENDING\"}");
    }

    static String name(OrchestrationStatus status) {
        return status.name().replace("ORCHESTRATION_STATUS_", "");
    }

    static OrchestrationState of(InstanceSummary summary, boolean withPayloads) {
        OrchestrationState.Builder state = OrchestrationState.newBuilder()
                .setInstanceId(summary.instanceId())
                .setName(summary.orchestrationName())
                .setCreatedTimestamp(Wire.timestamp(summary.createdAt()))
                .setLastUpdatedTimestamp(Wire.timestamp(summary.updatedAt()));
        state.setOrchestrationStatus(
                switch (summary.status()) {
                    case "Completed" -> OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED;
                    case "Failed" -> OrchestrationStatus.ORCHESTRATION_STATUS_FAILED;
                    default -> OrchestrationStatus.ORCHESTRATION_STATUS_RUNNING;
                });
        if (summary.texts() != null) {
            if (withPayloads && summary.texts().output() != null) {
                state.setOutput(Wire.text(summary.texts().output()));
            }
            String status = summary.texts().customStatus().status();
            if (status != null) {
                state.setCustomStatus(Wire.text(status));
            }
        }
        return state.build();
    }
}
