package com.example;

import com.microsoft.durabletask.DurableTaskClient;
import com.microsoft.durabletask.DurableTaskGrpcClientBuilder;
import com.microsoft.durabletask.DurableTaskGrpcWorker;
import com.microsoft.durabletask.DurableTaskGrpcWorkerBuilder;
import com.microsoft.durabletask.NewOrchestrationInstanceOptions;
import com.microsoft.durabletask.OrchestrationMetadata;
import com.microsoft.durabletask.RetryPolicy;
import com.microsoft.durabletask.Task;
import com.microsoft.durabletask.TaskActivity;
import com.microsoft.durabletask.TaskActivityFactory;
import com.microsoft.durabletask.TaskFailedException;
import com.microsoft.durabletask.TaskOptions;
import com.microsoft.durabletask.TaskOrchestration;
import com.microsoft.durabletask.TaskOrchestrationContext;
import com.microsoft.durabletask.TaskOrchestrationFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;

/**
 * Order fulfilment with the DurableTask SDK for Java, unchanged, on Sluice: reserves the stock of each line in
 * parallel, charges the card with retries, and ships; what was reserved is released when the payment is refused.
 */
public final class Orders {
    private static final Map<String, Integer> ATTEMPTS = new ConcurrentHashMap<>();

    private Orders() {}

    public static void main(String[] arguments) throws TimeoutException {
        int port = Integer.parseInt(
                Optional.ofNullable(System.getenv("SLUICE_DURABLETASK_PORT")).orElse("4001"));
        DurableTaskGrpcWorker worker = new DurableTaskGrpcWorkerBuilder()
                .port(port)
                .addOrchestration(orchestration("Fulfil", Orders::fulfil))
                .addActivity(activity("Reserve", line -> "2 " + line))
                .addActivity(activity("Release", reserved -> "released " + reserved))
                .addActivity(activity("Charge", Orders::charge))
                .addActivity(activity("Ship", order -> order + " shipped"))
                .build();
        worker.start();
        DurableTaskClient client =
                new DurableTaskGrpcClientBuilder().port(port).build();
        Map<String, String> expected = new LinkedHashMap<>();
        expected.put(start(client, "order 1"), "order 1 shipped");
        expected.put(start(client, "order 2"), "order 2 shipped");
        expected.put(start(client, "stolen card"), "payment refused");
        for (Map.Entry<String, String> order : expected.entrySet()) {
            OrchestrationMetadata ended =
                    client.waitForInstanceCompletion(order.getKey(), Duration.ofMinutes(1), true);
            String outcome = ended.readOutputAs(String.class);
            System.out.println(order.getKey() + "  " + ended.getRuntimeStatus() + "  " + outcome);
            if (!order.getValue().equals(outcome)) {
                throw new IllegalStateException("expected " + order.getValue());
            }
        }
        // The SDK's worker keeps a thread of its own alive.
        System.exit(0);
    }

    private static String start(DurableTaskClient client, String order) {
        return client.scheduleNewOrchestrationInstance(
                "Fulfil", new NewOrchestrationInstanceOptions().setInput(order));
    }

    private static void fulfil(TaskOrchestrationContext context) {
        String order = context.getInput(String.class);
        List<Task<String>> lines = new ArrayList<>();
        for (String line : List.of("book", "lamp")) {
            lines.add(context.callActivity("Reserve", line, String.class));
        }
        List<String> reserved = context.allOf(lines).await();
        try {
            TaskOptions retries = new TaskOptions(new RetryPolicy(3, Duration.ofMillis(100)));
            context.callActivity("Charge", order, retries, String.class).await();
        } catch (TaskFailedException e) {
            for (String line : reserved) {
                context.callActivity("Release", line, String.class).await();
            }
            context.complete("payment refused");
            return;
        }
        context.complete(context.callActivity("Ship", order, String.class).await());
    }

    /** Fails the first time, as card services do. */
    private static String charge(String order) {
        if (ATTEMPTS.merge(order, 1, Integer::sum) == 1 || order.startsWith("stolen")) {
            throw new IllegalStateException("the card is refused");
        }
        return "charged";
    }

    private interface Step {
        String run(String input);
    }

    private static TaskActivityFactory activity(String name, Step step) {
        return new TaskActivityFactory() {
            @Override
            public String getName() {
                return name;
            }

            @Override
            public TaskActivity create() {
                return context -> step.run(context.getInput(String.class));
            }
        };
    }

    private static TaskOrchestrationFactory orchestration(String name, TaskOrchestration code) {
        return new TaskOrchestrationFactory() {
            @Override
            public String getName() {
                return name;
            }

            @Override
            public TaskOrchestration create() {
                return code;
            }
        };
    }
}
