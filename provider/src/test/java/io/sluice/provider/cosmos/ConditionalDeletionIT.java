package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.DeleteInstanceResult;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.InstanceExt;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Deletion of what satisfies a condition when it goes. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ConditionalDeletionIT {
    private static final InstanceExt OLD = new InstanceExt("{\"life\":\"old\"}");
    private static final InstanceExt NEW = new InstanceExt("{\"life\":\"new\"}");

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

    @Test
    void what_satisfies_the_condition_goes_though_it_runs() {
        running("a");
        finished("b");

        assertThat(admin.deleteInstancesIf(List.of("a", "b"), ConditionalDeletionIT::isOld))
                .contains(new DeleteInstanceResult(2, 2, 3, 0));

        assertThat(find("a")).isEmpty();
        assertThat(find("b")).isEmpty();
    }

    @Test
    void one_that_does_not_satisfy_it_stays_with_all_others_though_it_has_ended() {
        List.of("a", "b", "c").forEach(this::finished);
        var before = new StoreContents(fixture.store()).documents();

        assertThat(admin.deleteInstancesIf(
                        List.of("a", "b", "c"),
                        instance -> !instance.instanceId().equals("c")))
                .isEmpty();

        assertThat(new StoreContents(fixture.store()).documents()).isEqualTo(before);
    }

    @Test
    void an_instance_that_takes_the_place_of_the_one_that_was_judged_is_judged_by_itself() {
        finished("a");
        List<InstanceExt> judged = new ArrayList<>();
        Predicate<InstanceSummary> whileReplaced = instance -> {
            judged.add(instance.ext());
            if (judged.size() == 1) {
                admin.deleteInstance("a", false);
                provider.starts().startInstance(wish("a", NEW));
            }
            return isOld(instance);
        };

        assertThat(admin.deleteInstancesIf(List.of("a"), whileReplaced)).isEmpty();

        assertThat(judged).startsWith(OLD).endsWith(NEW);
        assertThat(find("a"))
                .hasValueSatisfying(there -> assertThat(there.ext()).isEqualTo(NEW));
        assertThat(takeTurn(provider).item().messages()).containsExactly(start("a"));
    }

    @Test
    void an_instance_that_goes_on_meanwhile_goes_if_its_new_state_satisfies_the_condition() {
        running("a");
        List<String> judged = new ArrayList<>();
        Predicate<InstanceSummary> whileEnding = instance -> {
            judged.add(instance.status());
            if (judged.size() == 1) {
                finish("a");
            }
            return true;
        };

        assertThat(admin.deleteInstancesIf(List.of("a"), whileEnding)).isPresent();

        assertThat(judged).startsWith("Running").endsWith("Completed");
        assertThat(find("a")).isEmpty();
    }

    @Test
    void an_instance_that_waits_for_its_first_turn_is_judged_too() {
        provider.starts().startInstance(wish("a", NEW));

        assertThat(admin.deleteInstancesIf(List.of("a"), ConditionalDeletionIT::isOld))
                .isEmpty();
        assertThat(find("a")).isPresent();
        assertThat(admin.deleteInstancesIf(List.of("a"), instance -> NEW.equals(instance.ext())))
                .isPresent();
        assertThat(find("a")).isEmpty();
    }

    @Test
    void ids_without_an_instance_are_passed_over_with_what_waits_for_them() {
        finished("a");
        provider.enqueueForOrchestrator(start("waiting"), null);

        assertThat(admin.deleteInstancesIf(List.of("a", "waiting", "unknown"), ConditionalDeletionIT::isOld))
                .contains(new DeleteInstanceResult(1, 1, 2, 0));

        assertThat(takeTurn(provider).item().instance()).isEqualTo("waiting");
    }

    @Test
    void a_child_outside_of_the_list_keeps_its_parent() {
        provider.starts().startInstance(wish("parent", OLD));
        List<HistoryEvent> events = new ArrayList<>(List.of(StoreFixture.started("parent")));
        events.add(event("parent", 2, new EventKind.SubOrchestrationScheduled("Child", "child", "{}")));
        provider.ackOrchestrationItem(firstAck(takeTurn(provider))
                .withHistory(events)
                .withOrchestratorItems(
                        List.of(new WorkItem.StartOrchestration("child", "Child", "{}", null, "parent", 2L, null, 1))));

        assertThat(admin.deleteInstancesIf(List.of("parent"), ConditionalDeletionIT::isOld))
                .isEmpty();

        assertThat(find("parent")).isPresent();
    }

    private static boolean isOld(InstanceSummary instance) {
        return OLD.equals(instance.ext());
    }

    private Optional<InstanceSummary> find(String instance) {
        return provider.queries().get(instance);
    }

    private static InstanceStart wish(String instance, InstanceExt ext) {
        return InstanceStart.of((WorkItem.StartOrchestration) start(instance)).withExt(ext);
    }

    private void running(String instance) {
        provider.starts().startInstance(wish(instance, OLD));
        provider.ackOrchestrationItem(firstAck(takeTurn(provider)));
    }

    private void finished(String instance) {
        running(instance);
        finish(instance);
    }

    private void finish(String instance) {
        provider.enqueueForOrchestrator(raised(instance, "end"), null);
        LockedTurn turn = takeTurn(provider);
        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                .withHistory(List.of(event(instance, 9, new EventKind.OrchestrationCompleted("done"))))
                .withMetadata(ExecutionMetadata.NONE.withStatus("Completed", "done")));
    }
}
