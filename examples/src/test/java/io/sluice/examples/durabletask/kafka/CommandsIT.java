package io.sluice.examples.durabletask.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.client.ClientConfig;
import io.sluice.client.Command;
import io.sluice.client.CommandOptions;
import io.sluice.client.SluiceClient;
import io.sluice.durabletask.wire.Protocol.GetInstanceRequest;
import io.sluice.durabletask.wire.Protocol.OrchestrationState;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Commands from Kafka to a host's orchestrations, which know nothing of Kafka. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CommandsIT extends RelayedHubTest {
    @SuppressWarnings("NullAway.Init") // before each test
    private SluiceClient commands;

    @BeforeEach
    void open() {
        commands = SluiceClient.open(ClientConfig.of(published.bootstrapServers(), published.prefix()));
    }

    @AfterEach
    void close() {
        commands.close();
    }

    private void send(Command command) {
        commands.send(command).join();
    }

    private OrchestrationState awaitEnd(String instance) {
        await().atMost(PATIENCE)
                .until(() -> host.client()
                        .getInstance(GetInstanceRequest.newBuilder()
                                .setInstanceId(instance)
                                .build())
                        .getExists());
        return host.awaitEnd(instance);
    }

    @Test
    void an_orchestration_is_started_and_told_an_event_with_their_payloads() {
        send(new Command.Start("order-1", "Wait", "2", "{\"items\":3}"));
        send(new Command.RaiseEvent("order-1", "told", "[\"yes\"]"));

        OrchestrationState ended = awaitEnd("order-1");

        assertThat(ended.getOrchestrationStatus()).isEqualTo(OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED);
        assertThat(ended.getName()).isEqualTo("Wait");
        assertThat(ended.getVersion().getValue()).isEqualTo("2");
        assertThat(ended.getInput().getValue()).isEqualTo("{\"items\":3}");
        assertThat(ended.getOutput().getValue()).isEqualTo("[{\"items\":3},[\"yes\"]]");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(published.lifecycle("order-1"))
                        .extracting(event -> event.fact().type())
                        .containsExactly("created", "started", "external-event-received", "completed"));
        assertThat(published.deadLetters()).isZero();
    }

    @Test
    void texts_that_are_no_json_reach_sdks_as_strings_and_empty_ones_not_at_all() {
        send(new Command.Start("text-1", "Wait", ""));
        send(new Command.RaiseEvent("text-1", "told", "customer called"));
        send(new Command.Start("text-2", "Wait", "three items"));
        send(new Command.RaiseEvent("text-2", "told", ""));

        assertThat(awaitEnd("text-1").getOutput().getValue()).isEqualTo("[nothing,\"customer called\"]");
        assertThat(awaitEnd("text-2").getOutput().getValue()).isEqualTo("[\"three items\",nothing]");
    }

    @Test
    void a_cancellation_terminates() {
        send(new Command.Start("cancelled-1", "Wait", "1"));
        send(new Command.Cancel("cancelled-1", "customer called"));

        OrchestrationState ended = awaitEnd("cancelled-1");

        assertThat(ended.getOrchestrationStatus()).isEqualTo(OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED);
        assertThat(ended.getOutput().getValue())
                .as("what clients read as the output is JSON")
                .isEqualTo("\"customer called\"");
    }

    @Test
    void a_start_that_is_sent_twice_starts_once_and_a_message_of_a_queue_disturbs_nobody() {
        Command start = new Command.Start("twice-1", "Wait", "1");
        commands.send(start, CommandOptions.ofId("c-1")).join();
        commands.send(start, CommandOptions.ofId("c-1")).join();
        send(start);
        send(new Command.EnqueueMessage("twice-1", "mail", "hello"));
        send(new Command.RaiseEvent("twice-1", "told", "2"));

        assertThat(awaitEnd("twice-1").getOutput().getValue()).isEqualTo("[1,2]");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(published.lifecycle("twice-1"))
                        .extracting(event -> event.fact().type())
                        .containsExactly("created", "started", "external-event-received", "completed"));
    }
}
