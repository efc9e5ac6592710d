package io.sluice.provider.contract;

import static io.sluice.provider.contract.ContractItems.activity;
import static io.sluice.provider.contract.ContractItems.activityOf;
import static io.sluice.provider.contract.ContractItems.event;
import static io.sluice.provider.contract.ContractItems.started;
import static io.sluice.provider.contract.ProviderSteps.LONG;
import static io.sluice.provider.contract.ProviderSteps.META;
import static io.sluice.provider.contract.ProviderSteps.ackOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.TagFilter;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** An activity is cancelled by its item being gone; what becomes of its instance does not concern it. */
public abstract class CancellationContract extends ProviderContract {
    /** Runs the category on stores from there. */
    protected CancellationContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_fetch_returns_running_state_for_active_orchestration() {
        runningWith(activity("x", 2));

        assertThat(steps.fetchWork().item()).isEqualTo(activity("x", 2));
    }

    @Test
    void test_fetch_returns_terminal_state_when_orchestration_completed() {
        endedWithActivity(new EventKind.OrchestrationCompleted("done"), "Completed");

        assertThat(steps.fetchWork().item()).isEqualTo(activity("x", 2));
    }

    @Test
    void test_fetch_returns_terminal_state_when_orchestration_failed() {
        var details = new ErrorDetails.Application(
                ErrorDetails.ApplicationKind.Plain.ORCHESTRATION_FAILED, "no stock", false);
        endedWithActivity(new EventKind.OrchestrationFailed(details), "Failed");

        assertThat(steps.fetchWork().item()).isEqualTo(activity("x", 2));
    }

    @Test
    void test_fetch_returns_terminal_state_when_orchestration_continued_as_new() {
        endedWithActivity(new EventKind.OrchestrationContinuedAsNew("{}"), "ContinuedAsNew");

        assertThat(steps.fetchWork().item()).isEqualTo(activity("x", 2));
    }

    @Test
    void test_fetch_returns_missing_state_when_instance_deleted() {
        steps.act("nobody", 1);

        assertThat(steps.fetchWork().item()).isEqualTo(activity("nobody", 1));
    }

    @Test
    void test_renew_returns_running_when_orchestration_active() {
        runningWith(activity("x", 2));
        LockedWorkItem work = steps.fetchWork();

        provider().renewWorkItemLock(work.lockToken(), LONG);

        steps.done(work);
    }

    @Test
    void test_renew_returns_terminal_when_orchestration_completed() {
        runningWith(activity("x", 2));
        LockedWorkItem work = steps.fetchWork();
        steps.complete("x", 1);

        provider().renewWorkItemLock(work.lockToken(), LONG);

        steps.done(work);
    }

    @Test
    void test_renew_returns_missing_when_instance_deleted() {
        steps.act("nobody", 1);
        LockedWorkItem work = steps.fetchWork();

        provider().renewWorkItemLock(work.lockToken(), LONG);

        steps.drop(work);
    }

    @Test
    void test_ack_work_item_none_deletes_without_enqueue() {
        steps.act("x", 1);

        steps.drop(steps.fetchWork());

        steps.fetchNoWork();
        steps.fetchNothing();
    }

    @Test
    void test_cancelled_activities_deleted_from_worker_queue() {
        runningWith(activity("x", 1), activity("x", 2), activity("x", 3));
        steps.abandon(steps.fetchWork());

        cancel(1, 2);

        steps.drop(workOn(3));
        steps.fetchNoWork();
    }

    @Test
    void test_ack_work_item_fails_when_entry_deleted() {
        steps.act("x", 1);
        LockedWorkItem work = steps.fetchWork();
        steps.drop(work);

        ProviderSteps.permanentFailureOf(() -> steps.done(work));
    }

    @Test
    void test_renew_fails_when_entry_deleted() {
        steps.act("x", 1);
        LockedWorkItem work = steps.fetchWork();
        steps.drop(work);

        ProviderSteps.failureOf(() -> provider().renewWorkItemLock(work.lockToken(), LONG));
    }

    @Test
    void test_cancelling_nonexistent_activities_is_idempotent() {
        steps.start("x");

        steps.ack(ackOf(steps.fetch(), started("x"))
                .withMetadata(META)
                .withCancelledActivities(List.of(identified(999), identified(1))));

        assertThat(provider().read("x")).hasSize(1);
    }

    @Test
    void test_batch_cancellation_deletes_multiple_activities() {
        runningWith(activity("x", 1), activity("x", 2), activity("x", 3), activity("x", 4), activity("x", 5));

        cancel(1, 2, 3, 4, 5);

        steps.fetchNoWork();
    }

    @Test
    void test_same_activity_in_worker_items_and_cancelled_is_noop() {
        steps.start("x");
        steps.ack(ackOf(steps.fetch(), started("x"))
                .withMetadata(META)
                .withWorkerItems(List.of(activity("x", 2, "CancelledActivity"), activity("x", 3, "NormalActivity")))
                .withCancelledActivities(List.of(identified(2))));

        LockedWorkItem work = steps.fetchWork();

        assertThat(work.item()).isEqualTo(activity("x", 3, "NormalActivity"));
        steps.drop(work);
        steps.fetchNoWork();
    }

    @Test
    void test_orphan_activity_after_instance_force_deletion() {
        runningWith(activity("x", 2));

        assertThat(admin().deleteInstance("x", true).instancesDeleted()).isPositive();

        ProviderSteps.failureOf(() -> admin().getInstanceInfo("x"));
        steps.tryWork(LONG, null, TagFilter.defaultOnly()).ifPresent(steps::done);
    }

    private void runningWith(WorkItem... activities) {
        steps.start("x");
        steps.ack(ackOf(steps.fetch(), started("x"))
                .withMetadata(META.withStatus("Running", null))
                .withWorkerItems(List.of(activities)));
    }

    private void endedWithActivity(EventKind ending, String status) {
        HistoryEvent last = event("x", 1, 2, ending);
        steps.start("x");
        steps.ack(ackOf(steps.fetch(), started("x"), last)
                .withMetadata(META.withStatus(status, "done"))
                .withWorkerItems(List.of(activity("x", 2))));
    }

    private void cancel(long... ids) {
        steps.poke("x");
        steps.ack(ackOf(steps.fetch())
                .withMetadata(ExecutionMetadata.NONE)
                .withCancelledActivities(LongStream.of(ids)
                        .mapToObj(CancellationContract::identified)
                        .toList()));
    }

    private LockedWorkItem workOn(long id) {
        LockedWorkItem work = steps.fetchWork();
        assertThat(activityOf(work).id()).isEqualTo(id);
        return work;
    }

    private static ScheduledActivityIdentifier identified(long id) {
        return new ScheduledActivityIdentifier("x", 1, id);
    }
}
