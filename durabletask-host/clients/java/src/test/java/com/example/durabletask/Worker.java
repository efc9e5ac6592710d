package com.example.durabletask;

import com.microsoft.durabletask.DurableTaskGrpcWorker;
import com.microsoft.durabletask.DurableTaskGrpcWorkerBuilder;
import com.microsoft.durabletask.TaskActivity;
import com.microsoft.durabletask.TaskActivityFactory;
import com.microsoft.durabletask.TaskOrchestration;
import com.microsoft.durabletask.TaskOrchestrationFactory;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.function.Function;

/**
 * A worker of the SDK, which runs one work item at a time. The SDK's own loop can't be told to end, so it runs on a
 * thread of this class, which is interrupted.
 */
final class Worker implements AutoCloseable {

    private final ManagedChannel channel = Hub.newChannel();
    private final DurableTaskGrpcWorkerBuilder builder = new DurableTaskGrpcWorkerBuilder().grpcChannel(channel);
    private Thread loop;

    Worker orchestration(String name, TaskOrchestration code) {
        builder.addOrchestration(new TaskOrchestrationFactory() {
            @Override
            public String getName() {
                return name;
            }

            @Override
            public TaskOrchestration create() {
                return code;
            }
        });
        return this;
    }

    <T> Worker activity(String name, Class<T> inputType, Function<T, Object> code) {
        TaskActivity activity = context -> code.apply(context.getInput(inputType));
        builder.addActivity(new TaskActivityFactory() {
            @Override
            public String getName() {
                return name;
            }

            @Override
            public TaskActivity create() {
                return activity;
            }
        });
        return this;
    }

    Worker maximumTimerInterval(Duration interval) {
        builder.maximumTimerInterval(interval);
        return this;
    }

    Worker start() {
        DurableTaskGrpcWorker worker = builder.build();
        loop = new Thread(worker::startAndBlock, "worker");
        loop.setDaemon(true);
        loop.start();
        return this;
    }

    @Override
    public void close() throws InterruptedException {
        channel.shutdownNow();
        loop.interrupt();
        loop.join(10_000);
    }
}
