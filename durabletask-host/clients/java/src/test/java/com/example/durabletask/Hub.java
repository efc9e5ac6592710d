package com.example.durabletask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.durabletask.DurableTaskClient;
import com.microsoft.durabletask.DurableTaskGrpcClientBuilder;
import com.microsoft.durabletask.NewOrchestrationInstanceOptions;
import com.microsoft.durabletask.OrchestrationMetadata;
import com.microsoft.durabletask.OrchestrationRuntimeStatus;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What a scenario works with: a client of the unchanged SDK at SLUICE_DURABLETASK_ADDRESS (host:port) and, as an
 * extension, one worker for all scenarios of a class. Other scenarios use the hub too: each names its instances with
 * {@link #id} and judges only them.
 */
final class Hub implements BeforeAllCallback, AfterAllCallback {

    /** How long a scenario waits for what it expects; a pass takes milliseconds. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Worker worker;
    private final ManagedChannel channel = newChannel();
    private final DurableTaskClient client =
            new DurableTaskGrpcClientBuilder().grpcChannel(channel).build();

    private Hub(Worker worker) {
        this.worker = worker;
    }

    static Hub with(Worker worker) {
        return new Hub(worker);
    }

    static Hub withoutWorker() {
        return new Hub(null);
    }

    static ManagedChannel newChannel() {
        String address = System.getenv("SLUICE_DURABLETASK_ADDRESS");
        assertThat(address)
                .as("SLUICE_DURABLETASK_ADDRESS, host:port of the host to judge")
                .isNotNull();
        return ManagedChannelBuilder.forTarget(address).usePlaintext().build();
    }

    static String id(String what) {
        return "java-" + what + "-" + UUID.randomUUID();
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (worker != null) {
            worker.start();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws InterruptedException {
        if (worker != null) {
            worker.close();
        }
        channel.shutdownNow();
    }

    DurableTaskClient client() {
        return client;
    }

    String start(String name, Object input) {
        return client.scheduleNewOrchestrationInstance(name, input);
    }

    String start(String name, Object input, String instanceId) {
        return client.scheduleNewOrchestrationInstance(
                name, new NewOrchestrationInstanceOptions().setInput(input).setInstanceId(instanceId));
    }

    /** Starts an instance and waits until a worker has begun it. */
    String begun(String name, Object input) throws TimeoutException {
        String instance = start(name, input);
        client.waitForInstanceStart(instance, PATIENCE);
        return instance;
    }

    OrchestrationMetadata finished(String instance) throws TimeoutException {
        return client.waitForInstanceCompletion(instance, PATIENCE, true);
    }

    /** Waits for an instance to complete and answers its output. */
    <T> T completed(String instance, Class<T> type) throws TimeoutException {
        OrchestrationMetadata state = finished(instance);
        assertThat(state.getRuntimeStatus())
                .as(() -> state.getFailureDetails().getErrorMessage())
                .isEqualTo(OrchestrationRuntimeStatus.COMPLETED);
        return state.readOutputAs(type);
    }

    <T> T run(String name, Object input, Class<T> type) throws TimeoutException {
        return completed(start(name, input), type);
    }

    OrchestrationMetadata state(String instance) {
        return client.getInstanceMetadata(instance, true);
    }

    OrchestrationRuntimeStatus status(String instance) {
        return state(instance).getRuntimeStatus();
    }

    boolean exists(String instance) {
        return state(instance).isInstanceFound();
    }

    /** The status code that a call is refused with. */
    static io.grpc.Status.Code refused(Runnable call) {
        try {
            call.run();
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        }
        throw new AssertionError("the call was not refused");
    }

    /** Waits until a condition holds. */
    static void eventually(String what, BooleanSupplier condition) {
        await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(condition::getAsBoolean);
    }
}
