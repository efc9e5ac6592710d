package io.sluice.provider.contract;

import static io.sluice.provider.contract.ContractItems.continueAsNew;
import static io.sluice.provider.contract.ContractItems.event;
import static io.sluice.provider.contract.ContractItems.signal;
import static io.sluice.provider.contract.ContractItems.started;
import static io.sluice.provider.contract.ContractItems.startedKind;
import static io.sluice.provider.contract.ContractItems.versions;
import static io.sluice.provider.contract.ProviderSteps.LONG;
import static io.sluice.provider.contract.ProviderSteps.META;
import static io.sluice.provider.contract.ProviderSteps.ackOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.SemverRange;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.SemanticVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A dispatcher is offered what it can replay; the rest is passed over, unlocked and unread. */
public abstract class CapabilityFilteringContract extends ProviderContract {
    /** Runs the category on stores from there. */
    protected CapabilityFilteringContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_fetch_with_filter_none_returns_any_item() {
        pinned("x", "1.2.3");

        steps.fetchOf("x");
    }

    @Test
    void test_fetch_with_compatible_filter_returns_item() {
        pinned("x", "1.2.3");

        steps.fetch(versions("1.0.0", "1.9.9"));
    }

    @Test
    void test_fetch_with_incompatible_filter_skips_item() {
        pinned("x", "1.2.3");

        steps.fetchNothing(versions("2.0.0", "2.9.9"));
    }

    @Test
    void test_fetch_filter_skips_incompatible_selects_compatible() {
        pinned("v1", "1.0.0");
        pinned("v2", "2.0.0");

        LockedTurn second = steps.fetch(versions("2.0.0", "2.9.9"));
        steps.abandonIgnoringAttempt(second);
        LockedTurn first = steps.fetch(versions("1.0.0", "1.9.9"));

        assertThat(second.item().instance()).isEqualTo("v2");
        assertThat(first.item().instance()).isEqualTo("v1");
    }

    @Test
    void test_fetch_filter_does_not_lock_skipped_instances() {
        pinned("x", "1.0.0");
        steps.fetchNothing(versions("2.0.0", "2.9.9"));

        steps.fetch(versions("0.0.0", "1.9.9"));
    }

    @Test
    void test_fetch_filter_null_pinned_version_always_compatible() {
        steps.create("x");
        steps.poke("x");

        steps.fetch(versions("99.0.0", "99.9.9"));
    }

    @Test
    void test_fetch_filter_boundary_versions() {
        DispatcherCapabilityFilter filter = versions("1.0.0", "1.9.99");
        pinned("least", "1.0.0");
        steps.abandonIgnoringAttempt(steps.fetch(filter));
        pinned("most", "1.9.99");
        assertThat(List.of(steps.fetch(filter), steps.fetch(filter)))
                .as("in which order is the store's business")
                .extracting(turn -> turn.item().instance())
                .containsExactlyInAnyOrder("least", "most");

        try (ContractStore second = anotherStore()) {
            ProviderSteps elsewhere = stepsOn(second);
            pinned(elsewhere, "beyond", "2.0.0");

            elsewhere.fetchNothing(filter);
            elsewhere.fetchOf("beyond");
        }
    }

    @Test
    void test_pinned_version_stored_via_ack_metadata() {
        pinned("x", "3.1.4");

        steps.fetch(versions("3.0.0", "3.9.9"));
    }

    @Test
    void test_pinned_version_immutable_across_ack_cycles() {
        DispatcherCapabilityFilter filter = versions("0.0.0", "1.9.9");
        pinned("x", "1.0.0");
        steps.ack(steps.fetch(filter));
        steps.poke("x");

        steps.fetchNothing(versions("2.0.0", "2.9.9"));
        steps.fetch(filter);
    }

    @Test
    void test_continue_as_new_execution_gets_own_pinned_version() {
        pinned("x", "1.0.0");
        steps.ack(ackOf(steps.fetch())
                .withMetadata(ExecutionMetadata.NONE.withStatus("ContinuedAsNew", null))
                .withOrchestratorItems(List.of(continueAsNew("x"))));
        steps.ack(TurnAck.of(steps.fetch().lockToken(), 2)
                .withHistory(List.of(started("x", 2)))
                .withMetadata(META.withPinnedVersion(SemanticVersion.of(2, 0, 0))));
        steps.poke("x");

        steps.abandonIgnoringAttempt(steps.fetch(versions("2.0.0", "2.9.9")));

        steps.fetchNothing(versions("1.0.0", "1.9.9"));
    }

    @Test
    void test_filter_with_empty_supported_versions_returns_nothing() {
        pinned("x", "1.0.0");

        steps.fetchNothing(new DispatcherCapabilityFilter(List.of()));
    }

    @Test
    void test_concurrent_filtered_fetch_no_double_lock() {
        pinned("x", "1.0.0");

        steps.fetch(versions("1.0.0", "1.9.9"));

        steps.fetchNothing(versions("1.0.0", "1.9.9"));
    }

    @Test
    void test_ack_stores_pinned_version_via_metadata_update() {
        steps.create("x");
        repin("x", SemanticVersion.of(1, 2, 3));
        steps.poke("x");

        steps.fetchNothing(versions("2.0.0", "2.9.9"));
        steps.fetch(versions("1.0.0", "1.9.9"));
    }

    @Test
    void test_provider_updates_pinned_version_when_told() {
        pinned("x", "1.0.0");
        repin("x", SemanticVersion.of(2, 0, 0));
        steps.poke("x");

        steps.abandonIgnoringAttempt(steps.fetch(versions("2.0.0", "2.0.0")));

        steps.fetchNothing(versions("1.0.0", "1.0.0"));
    }

    @Test
    void test_fetch_corrupted_history_filtered_vs_unfiltered() {
        pinned("x", "1.0.0");
        store().corruptHistory("x");

        steps.fetchNothing(versions("2.0.0", "2.9.9"));
        LockedTurn turn = steps.fetchOf("x");

        assertThat(turn.item().historyError()).isNotNull();
        assertThat(turn.item().history()).isEmpty();
    }

    @Test
    void test_fetch_deserialization_error_increments_attempt_count() {
        pinned("x", "1.0.0");
        store().corruptHistory("x");

        fetchAndAbandonUnreadable(2);

        assertThat(store().maxAttemptCount("x")).isGreaterThanOrEqualTo(2);
    }

    @Test
    void test_fetch_deserialization_error_eventually_reaches_poison() {
        pinned("x", "1.0.0");
        store().corruptHistory("x");

        fetchAndAbandonUnreadable(5);

        assertThat(store().maxAttemptCount("x")).isGreaterThanOrEqualTo(5);
    }

    @Test
    void test_fetch_filter_applied_before_history_deserialization() {
        pinned("x", "99.0.0");
        store().corruptHistory("x");

        steps.fetchNothing(versions("1.0.0", "2.0.0"));

        assertThat(steps.fetch().item().historyError()).isNotNull();
    }

    @Covers("wire 42")
    @Test
    void test_fetch_single_range_only_uses_first_range() {
        pinned("a", "1.0.0");
        pinned("b", "3.0.0");
        SemverRange first =
                versions("1.0.0", "1.5.0").supportedDuroxideVersions().get(0);
        SemverRange second =
                versions("3.0.0", "3.5.0").supportedDuroxideVersions().get(0);
        DispatcherCapabilityFilter both = new DispatcherCapabilityFilter(List.of(first, second));

        LockedTurn turn = steps.fetch(both);
        steps.abandonIgnoringAttempt(turn);

        assertThat(turn.item().instance()).isEqualTo("a");
        steps.tryFetch(LONG, both)
                .ifPresent(again -> assertThat(again.item().instance()).isEqualTo("a"));
        steps.fetchNothing(both);
    }

    @Test
    void test_ack_appends_event_to_corrupted_history() {
        pinned("x", "1.0.0");
        store().corruptHistory("x");
        LockedTurn turn = steps.fetch();
        assertThat(turn.item().historyError()).isNotNull();
        var poison = new ErrorDetails.Poison(
                1,
                10,
                new ErrorDetails.PoisonedMessage.FailedDeserialization("x", 1, "unreadable"),
                "history deserialization failed: unreadable");

        steps.ack(ackOf(turn, event("x", 1, 99_999, new EventKind.OrchestrationFailed(poison)))
                .withMetadata(ExecutionMetadata.NONE
                        .withOrchestration(
                                turn.item().orchestrationName(), turn.item().version())
                        .withStatus("Failed", poison.message())));

        assertThat(admin().getInstanceInfo("x").status()).isEqualTo("Failed");
        assertThat(admin().getInstanceInfo("x").output()).contains("deserialization failed");
    }

    private void fetchAndAbandonUnreadable(int times) {
        for (int i = 0; i < times; i++) {
            LockedTurn turn = steps.fetch(Duration.ofMillis(50));
            assertThat(turn.item().historyError()).isNotNull();
            provider().abandonOrchestrationItem(turn.lockToken(), null, false);
            steps.passMillis(100);
        }
    }

    private void repin(String instance, SemanticVersion version) {
        steps.poke(instance);
        steps.ack(ackOf(steps.fetchOf(instance)).withMetadata(ExecutionMetadata.NONE.withPinnedVersion(version)));
    }

    private void pinned(String instance, String version) {
        pinned(steps, instance, version);
    }

    /** An instance pinned to the version, with a message of its own that waits. */
    private static void pinned(ProviderSteps steps, String instance, String version) {
        steps.start(instance);
        List<LockedTurn> others = new ArrayList<>();
        LockedTurn turn = steps.fetch();
        while (!turn.item().instance().equals(instance)) {
            others.add(turn);
            turn = steps.fetch();
        }
        others.forEach(steps::abandonIgnoringAttempt);
        steps.ack(ackOf(turn, event(instance, 1, 1, version, startedKind("TestOrch", "1.0.0")))
                .withMetadata(META.withPinnedVersion(SemanticVersion.parse(version)))
                .withOrchestratorItems(List.of(signal(instance, "ping"))));
    }
}
