package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.HubClient.request;
import static io.sluice.durabletask.turn.Answers.child;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.failed;
import static io.sluice.durabletask.turn.Answers.terminated;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_FAILED;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.durabletask.wire.Protocol.CreateInstanceRequest;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.PurgeInstancesRequest;
import io.sluice.durabletask.wire.Protocol.RestartInstanceRequest;
import io.sluice.durabletask.wire.Wire;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Children that end when another instance has taken the place of their parent. */
class LateChildrenIT {
    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");
    private final String kidName = unique("Kid");

    static Stream<Arguments> replacements() {
        BiConsumer<HubClient, CreateInstanceRequest.Builder> restarted = (client, again) -> {
            var unused = client.stub()
                    .restartInstance(RestartInstanceRequest.newBuilder()
                            .setInstanceId(again.getInstanceId())
                            .build());
        };
        BiConsumer<HubClient, CreateInstanceRequest.Builder> purged = (client, again) -> {
            assertThat(client.stub()
                            .purgeInstances(PurgeInstancesRequest.newBuilder()
                                    .setInstanceId(again.getInstanceId())
                                    .build())
                            .getDeletedInstanceCount())
                    .isEqualTo(1);
            client.start(again);
        };
        BiConsumer<HubClient, CreateInstanceRequest.Builder> replaced = (client, again) -> {
            again.getOrchestrationIdReusePolicyBuilder()
                    .addReplaceableStatus(ORCHESTRATION_STATUS_FAILED)
                    .addReplaceableStatus(ORCHESTRATION_STATUS_TERMINATED);
            client.start(again);
        };
        return Stream.of(
                Arguments.of("failed and restarted", failed(1, "Boom", "bad luck"), restarted),
                Arguments.of("failed and replaced", failed(1, "Boom", "bad luck"), replaced),
                Arguments.of("failed and purged", failed(1, "Boom", "bad luck"), purged),
                Arguments.of("terminated and purged", terminated(1, "enough"), purged));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("replacements")
    void a_child_answers_for_no_child_of_the_instance_that_took_its_parents_place(
            String how, OrchestratorAction ending, BiConsumer<HubClient, CreateInstanceRequest.Builder> replacement) {
        ScriptedWorker worker = host.worker().takes(name).takes(kidName).connect();
        String parent = client.start(name, "1");
        String oldKid = unique("kid");
        worker.decide(parent, child(0, oldKid, kidName));
        worker.decide(oldKid);
        client.raise(parent, "enough", "");
        worker.decide(parent, ending);
        client.awaitEnd(parent);

        replacement.accept(client, request(name).setInstanceId(parent).setInput(Wire.text("1")));

        String newKid = unique("kid");
        worker.decide(parent, child(0, newKid, kidName));
        client.raise(oldKid, "go", "");
        worker.decide(oldKid, completed(0, "old"));
        client.awaitEnd(oldKid);
        worker.decide(newKid, completed(0, "new"));
        assertThat(Events.only(worker.turn(parent), EventTypeCase.SUBORCHESTRATIONINSTANCECOMPLETED)
                        .getSubOrchestrationInstanceCompleted()
                        .getResult())
                .as("%s: what the parent hears of its child", how)
                .isEqualTo(Wire.text("new"));
    }
}
