package io.sluice.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GreeterIT {
    private static final int MOST_STEPS = 20;
    private static final Duration LOCK = Duration.ofSeconds(30);
    private static final Duration WAIT = Duration.ofSeconds(30);

    private static WorkItem start(String instance, String whom) {
        return new WorkItem.StartOrchestration(instance, "Greeting", whom, null, null, null, null, 1);
    }

    @Test
    void a_greeting_ends_with_its_activitys_result_whatever_else_is_sent_to_it() {
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory())) {
            var config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "greetings", "greetings");
            CosmosStore.provision(config);
            try (var provider = CosmosProvider.builder().config(config).build()) {
                provider.enqueueForOrchestrator(start("greeting-1", "Ada"), null);
                provider.enqueueForOrchestrator(start("greeting-1", "Bob"), null);
                provider.enqueueForOrchestrator(new WorkItem.ExternalRaised("greeting-1", "rain", "much"), null);

                var greeter = new Greeter(provider);
                for (int i = 0; i < MOST_STEPS && provider.read("greeting-1").size() < 4; i++) {
                    greeter.step();
                }

                assertThat(provider.read("greeting-1").stream().map(HistoryEvent::type))
                        .containsExactly(
                                "OrchestrationStarted",
                                "ActivityScheduled",
                                "ActivityCompleted",
                                "OrchestrationCompleted");
                assertThat(provider.asManagementCapability().orElseThrow().getInstanceInfo("greeting-1"))
                        .satisfies(info -> {
                            assertThat(info.status()).isEqualTo("Completed");
                            assertThat(info.output()).isEqualTo("Hello, Ada!");
                        });
            }
        }
    }

    @Test
    void work_of_other_programs_is_left_for_them() {
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory())) {
            var config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "greetings", "greetings");
            CosmosStore.provision(config);
            try (var provider = CosmosProvider.builder().config(config).build()) {
                var order = new WorkItem.StartOrchestration("order-1", "Order", "{}", null, null, null, null, 1);
                var answer = new WorkItem.SubOrchCompleted("order-1", 1, 2, "paid");
                var charge = new WorkItem.ActivityExecute("order-1", 1, 3, "charge", "{}", null, null);
                provider.enqueueForOrchestrator(order, null);
                provider.enqueueForOrchestrator(answer, null);
                provider.enqueueForWorker(charge);

                var greeter = new Greeter(provider);
                greeter.step();

                var turn = provider.fetchOrchestrationItem(LOCK, WAIT, null).orElseThrow();
                assertThat(turn.item().messages()).containsExactly(order, answer);
                assertThat(turn.attemptCount())
                        .as("the greeter's is not counted")
                        .isEqualTo(1);
                assertThat(provider.fetchWorkItem(LOCK, WAIT, null, TagFilter.defaultOnly())
                                .orElseThrow()
                                .item())
                        .isEqualTo(charge);
            }
        }
    }
}
