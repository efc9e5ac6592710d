package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.HubClient.request;
import static io.sluice.durabletask.conformance.Refusals.assertRefused;
import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_RUNNING;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import io.sluice.durabletask.hub.HubSettings;
import io.sluice.durabletask.wire.Protocol.CreateInstanceRequest;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.PurgeInstancesRequest;
import io.sluice.durabletask.wire.Protocol.RestartInstanceRequest;
import io.sluice.durabletask.wire.Wire;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.testkit.seed.Tier;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Starts in place of another instance, many at the same time: what one has begun, no other removes. */
class ReplacementsIT {
    private static final int ROUNDS = Tier.times(2, 8);
    private static final int CALLERS = 4;

    @RegisterExtension
    static final HostFixture host = HostFixture.with(HubSettings.USUAL.withStartReplacesEnded(true));

    private final HubClient client = host.client();
    private final String name = unique("Order");
    private final Set<String> ended = ConcurrentHashMap.newKeySet();
    private HubClient others;

    @BeforeEach
    void open() {
        others = host.another().client();
        host.worker()
                .orchestrates(name, turn -> ended.add(turn.getInstanceId()) ? answer(completed(0, "42")) : answer())
                .connect();
    }

    private HubClient caller(int i) {
        return i % 2 == 0 ? client : others;
    }

    /** The first instance of an id ends at once, those after it run. */
    private String completedInstance() {
        String instance = client.start(request(name).setInput(Wire.text("first")));
        client.awaitEnd(instance);
        return instance;
    }

    private CreateInstanceRequest.Builder again(String instance, int i, OrchestrationStatus... replaceable) {
        CreateInstanceRequest.Builder request =
                request(name).setInstanceId(instance).setInput(Wire.text("" + i));
        request.getOrchestrationIdReusePolicyBuilder().addAllReplaceableStatus(List.of(replaceable));
        return request;
    }

    private void assertOneTakesEffect(String instance, Set<Code> refusals, IntConsumer call) {
        Set<Integer> started = ConcurrentHashMap.newKeySet();

        Concurrently.Outcomes outcomes = Concurrently.run(CALLERS, i -> {
            call.accept(i);
            started.add(i);
        });

        assertThat(started).as("starts of %s that were good", instance).hasSize(1);
        assertThat(outcomes.codes()).hasSize(CALLERS - 1).isSubsetOf(refusals);
        client.awaitStart(instance);
        assertThat(client.status(instance)).isEqualTo(ORCHESTRATION_STATUS_RUNNING);
    }

    @Test
    void of_starts_whose_policy_lets_them_replace_what_has_completed_one_is_good() {
        for (int round = 0; round < ROUNDS; round++) {
            String instance = completedInstance();

            assertOneTakesEffect(
                    instance,
                    Set.of(Code.ALREADY_EXISTS),
                    i -> caller(i).start(again(instance, i, ORCHESTRATION_STATUS_COMPLETED)));
        }
    }

    @Test
    void of_starts_that_replace_what_has_ended_by_the_setting_one_is_good() {
        for (int round = 0; round < ROUNDS; round++) {
            String instance = completedInstance();

            assertOneTakesEffect(
                    instance, Set.of(Code.ALREADY_EXISTS), i -> caller(i).start(again(instance, i)));
        }
    }

    @Test
    void of_restarts_one_is_good() {
        for (int round = 0; round < ROUNDS; round++) {
            String instance = completedInstance();

            // NOT_FOUND: for a moment another's restart has removed the instance and not begun it again.
            var refusals = Set.of(Code.ALREADY_EXISTS, Code.FAILED_PRECONDITION, Code.NOT_FOUND);
            assertOneTakesEffect(instance, refusals, i -> {
                var unused = caller(i)
                        .stub()
                        .restartInstance(RestartInstanceRequest.newBuilder()
                                .setInstanceId(instance)
                                .build());
            });
            assertThat(client.state(instance).getInput()).isEqualTo(Wire.text("first"));
        }
    }

    /** Lets others replace an instance that has completed just before it is removed the next time. */
    private void replacedBeforeItIsRemoved(String instance) {
        beforeItIsRemoved(instance, () -> others.start(again(instance, 1, ORCHESTRATION_STATUS_COMPLETED)));
    }

    private static void beforeItIsRemoved(String instance, Runnable what) {
        AtomicBoolean hasHappened = new AtomicBoolean();
        host.emulator()
                .faults()
                .refuse(
                        request -> {
                            if (beginsRemoval(request, instance) && hasHappened.compareAndSet(false, true)) {
                                what.run();
                            }
                            return false;
                        },
                        0,
                        500,
                        0);
    }

    private static boolean beginsRemoval(LoggedRequest request, String instance) {
        return request.operation() == RequestKind.BATCH
                && request.body().startsWith("create:deletion:")
                && String.valueOf(request.partitionKey()).contains(instance);
    }

    private void assertIsTheOthers(String instance) {
        client.awaitStart(instance);
        assertThat(client.state(instance).getInput()).isEqualTo(Wire.text("1"));
    }

    @Test
    void what_was_replaced_meanwhile_is_not_replaced_again() {
        String instance = completedInstance();
        replacedBeforeItIsRemoved(instance);

        assertRefused(
                Code.ALREADY_EXISTS, () -> client.start(again(instance, 2, ORCHESTRATION_STATUS_COMPLETED)), instance);

        assertIsTheOthers(instance);
    }

    @Test
    void what_was_replaced_and_has_ended_meanwhile_is_not_restarted_as_it_was() {
        String instance = completedInstance();
        beforeItIsRemoved(instance, () -> {
            ended.remove(instance);
            others.start(again(instance, 1, ORCHESTRATION_STATUS_COMPLETED));
            others.awaitEnd(instance);
        });

        assertRefused(
                Code.ALREADY_EXISTS,
                () -> client.stub()
                        .restartInstance(RestartInstanceRequest.newBuilder()
                                .setInstanceId(instance)
                                .build()),
                instance);

        assertIsTheOthers(instance);
    }

    @Test
    void what_was_replaced_meanwhile_is_not_purged() {
        String instance = completedInstance();
        replacedBeforeItIsRemoved(instance);

        var purged = client.stub()
                .purgeInstances(PurgeInstancesRequest.newBuilder()
                        .setInstanceId(instance)
                        .build());

        assertThat(purged.getDeletedInstanceCount()).isZero();
        assertIsTheOthers(instance);
    }

    @Test
    void what_runs_is_replaced_where_the_policy_says_so() {
        String instance = completedInstance();
        client.start(again(instance, 1));
        client.awaitStart(instance);

        client.start(again(instance, 2, ORCHESTRATION_STATUS_RUNNING, ORCHESTRATION_STATUS_TERMINATED));

        client.awaitStart(instance);
        assertThat(client.state(instance).getInput()).isEqualTo(Wire.text("2"));
    }
}
