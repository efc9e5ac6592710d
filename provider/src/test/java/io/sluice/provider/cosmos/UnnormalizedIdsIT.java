package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.completed;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.InstanceStart;
import io.sluice.provider.InstanceStarts;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids that Unicode lets be composed, as names of files on macOS: in a URL they would arrive as other ids. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UnnormalizedIdsIT {
    private static final String DECOMPOSED = "cafe\u0301";
    private static final Duration WAIT = Duration.ofSeconds(10);

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosProvider provider;
    private ProviderAdmin admin;

    @BeforeEach
    void open() {
        provider = fixture.provider();
        admin = provider.asManagementCapability().orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {DECOMPOSED, "\u212b", "\uf900", "\u1100\u1161"})
    void an_instance_lives_from_its_start_to_its_deletion(String id) {
        InstanceStart once = InstanceStart.of((WorkItem.StartOrchestration) start(id));
        assertThat(provider.starts().startInstance(once)).isInstanceOf(InstanceStarts.Started.class);
        assertThat(provider.starts().startInstance(once)).as("recognised").isInstanceOf(InstanceStarts.Started.class);
        provider.ackOrchestrationItem(firstAck(takeTurn(provider)).withWorkerItems(List.of(activity(id, "s"))));
        finishActivity();

        LockedTurn turn = takeTurn(provider);
        account.requireEmulator().faults().loseAnswer(StoreFixture::isBatch, 1);
        provider.renewOrchestrationItemLock(turn.lockToken(), LOCK);
        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));

        assertThat(turn.item().instance()).isEqualTo(id);
        assertThat(admin.getInstanceInfo(id).instanceId()).isEqualTo(id);
        assertThat(provider.queries().get(id)).isPresent();
        assertThat(provider.read(id)).hasSize(1);
        assertThat(provider.getCustomStatus(id, -1)).isPresent();
        assertThat(admin.deleteInstance(id, true).instancesDeleted()).isEqualTo(1);
        assertThat(provider.queries().get(id)).isEmpty();
    }

    @Test
    void a_session_of_such_a_name_is_claimed() {
        provider.enqueueForWorker(activity("order-1", DECOMPOSED));
        finishActivity();
        provider.enqueueForWorker(activity("order-1", DECOMPOSED));
        finishActivity();
    }

    @Test
    void a_request_of_such_an_id_counts_once() {
        provider.enqueueForOrchestrator(raised("order-1", "go"), null, DECOMPOSED);
        provider.enqueueForOrchestrator(raised("order-1", "go"), null, DECOMPOSED);

        assertThat(fixture.documents(fixture.store(), "order-1", "orch_queue")).hasSize(1);
    }

    @Test
    void what_it_sent_is_settled_though_the_answer_to_the_delivery_was_lost() {
        CosmosProvider leaving =
                fixture.provider(CosmosProvider.builder().reconciler(false).immediateDelivery(false));
        var outbox =
                new IntentOutbox(fixture.store().container(), fixture.store().clock());
        leaving.enqueueForOrchestrator(start(DECOMPOSED), null);
        leaving.ackOrchestrationItem(
                firstAck(takeTurn(leaving)).withOrchestratorItems(List.of(raised("target", "go"))));
        Intent intent = outbox.undelivered(DECOMPOSED).get(0);
        account.requireEmulator()
                .faults()
                .loseAnswer(
                        request -> StoreFixture.isBatch(request) && "[\"target\"]".equals(request.partitionKey()), 1);

        assertThat(outbox.deliver(intent)).isInstanceOf(DeliveryOutcome.Transient.class);
        assertThat(outbox.deliver(intent)).isInstanceOf(DeliveryOutcome.Delivered.class);

        assertThat(fixture.documents(fixture.store(), "target", "orch_queue")).hasSize(1);
    }

    private void finishActivity() {
        LockedWorkItem work = provider.fetchWorkItem(LOCK, WAIT, new SessionFetchConfig("owner", LOCK), TagFilter.any())
                .orElseThrow(() -> new AssertionError("no activity to fetch"));
        WorkItem.ActivityExecute activity = (WorkItem.ActivityExecute) work.item();
        provider.ackWorkItem(work.lockToken(), completed(activity.instance(), activity.id()));
    }

    private static WorkItem activity(String instance, String session) {
        return new WorkItem.ActivityExecute(instance, 1, 2, "charge", "{}", session, null);
    }
}
