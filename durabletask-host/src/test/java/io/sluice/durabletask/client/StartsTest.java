package io.sluice.durabletask.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.sluice.durabletask.wire.Protocol.CreateInstanceRequest;
import io.sluice.durabletask.wire.Protocol.OrchestrationIdReusePolicy;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.provider.EarlyMessages;
import io.sluice.provider.InstanceQueries;
import io.sluice.provider.InstanceStarts;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderAdmin;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StartsTest {
    private final List<String> calls = new ArrayList<>();
    private final Starts starts = new Starts(
            new ClientContext(
                    fake(Provider.class, "Running"),
                    fake(ProviderAdmin.class, null),
                    fake(InstanceStarts.class, new InstanceStarts.AlreadyExists(summary())),
                    fake(EarlyMessages.class, null),
                    fake(InstanceQueries.class, null),
                    InstantSource.system()),
            false);

    @Test
    void one_that_gives_up_since_others_are_always_faster_does_not_remove_what_they_have_started() {
        var request = CreateInstanceRequest.newBuilder()
                .setInstanceId("order-17")
                .setName("Order")
                .setOrchestrationIdReusePolicy(OrchestrationIdReusePolicy.newBuilder()
                        .addReplaceableStatus(OrchestrationStatus.ORCHESTRATION_STATUS_PENDING)
                        .addReplaceableStatus(OrchestrationStatus.ORCHESTRATION_STATUS_RUNNING)
                        .addReplaceableStatus(OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED))
                .build();

        assertThatThrownBy(() -> starts.start(request))
                .isInstanceOf(StatusRuntimeException.class)
                .satisfies(refused ->
                        assertThat(Status.fromThrowable(refused).getCode()).isEqualTo(Status.Code.ABORTED));
        assertThat(calls)
                .as("each removal is followed by a start")
                .containsExactly(
                        "startInstance", "deleteInstancesIf", "startInstance", "deleteInstancesIf", "startInstance");
    }

    private static InstanceSummary summary() {
        return new InstanceSummary(
                "order-17", "Order", "", 1, "Running", Instant.EPOCH, Instant.EPOCH, null, null, null);
    }

    /** Answers each call with this, and notes it. */
    private <T> T fake(Class<T> type, @Nullable Object answer) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    calls.add(method.getName());
                    return answer;
                }));
    }
}
