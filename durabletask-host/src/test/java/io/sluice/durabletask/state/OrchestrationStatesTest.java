package io.sluice.durabletask.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.durabletask.wire.Protocol.OrchestrationState;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.TaskFailureDetails;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.CustomStatus;
import io.sluice.provider.ExtCondition;
import io.sluice.provider.InstanceExt;
import io.sluice.provider.InstanceSummary;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Instances as clients see them. */
class OrchestrationStatesTest {
    private static final Instant CREATED = Instant.parse("2026-06-15T08:00:00.001Z");
    private static final Instant UPDATED = Instant.parse("2026-06-15T08:00:02Z");
    private static final Instant ENDED = Instant.parse("2026-06-15T08:00:01.002Z");
    private static final TaskFailureDetails BOOM = TaskFailureDetails.newBuilder()
            .setErrorType("Boom")
            .setErrorMessage("it went…")
            .setStackTrace(Wire.text("at line 7"))
            .build();

    @Test
    void an_instance_is_shown_with_all_that_is_known_but_its_input() {
        OrchestrationState state = OrchestrationStates.withPayloads(
                summary("Completed", state(OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED, null), "42", "half"));

        assertThat(state)
                .isEqualTo(OrchestrationState.newBuilder()
                        .setInstanceId("order-7")
                        .setName("Order")
                        .setVersion(Wire.text("2.0"))
                        .setOrchestrationStatus(OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED)
                        .setScheduledStartTimestamp(Wire.timestamp(CREATED))
                        .setCreatedTimestamp(Wire.timestamp(CREATED))
                        .setLastUpdatedTimestamp(Wire.timestamp(UPDATED))
                        .setCompletedTimestamp(Wire.timestamp(ENDED))
                        .setOutput(Wire.text("42"))
                        .setCustomStatus(Wire.text("half"))
                        .setExecutionId(Wire.text("guid-1"))
                        .setParentInstanceId(Wire.text("the parent"))
                        .putTags("tenant", "a")
                        .build());
    }

    @Test
    void payloads_are_shown_when_asked_for() {
        OrchestrationState state = OrchestrationStates.withoutPayloads(
                summary("Completed", state(OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED, null), "42", "half"));

        assertThat(state.hasInput() || state.hasOutput()).isFalse();
        assertThat(state.getCustomStatus().getValue()).isEqualTo("half");
        assertThat(state.getTagsMap()).isEqualTo(Map.of("tenant", "a"));
    }

    @Test
    void what_is_absent_is_not_shown_as_empty() {
        OrchestrationState state = OrchestrationStates.withPayloads(
                summary("Completed", state(OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED, null), null, null));

        assertThat(state.hasInput() || state.hasOutput() || state.hasCustomStatus())
                .isFalse();
    }

    @Test
    void a_failure_has_its_whole_message_where_texts_were_read() {
        InstanceState failed = state(OrchestrationStatus.ORCHESTRATION_STATUS_FAILED, BOOM);

        OrchestrationState whole = OrchestrationStates.withPayloads(summary("Failed", failed, "it went boom", null));
        OrchestrationState listed = OrchestrationStates.withoutPayloads(summaryWithoutTexts("Failed", failed));

        assertThat(whole.hasOutput()).isFalse();
        assertThat(whole.getFailureDetails())
                .isEqualTo(BOOM.toBuilder().setErrorMessage("it went boom").build());
        assertThat(listed.getFailureDetails()).isEqualTo(BOOM);
    }

    @Test
    void a_terminated_instance_has_an_output_and_no_failure() {
        OrchestrationState state = OrchestrationStates.withPayloads(
                summary("Failed", state(OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED, null), "late", null));

        assertThat(state.getOrchestrationStatus()).isEqualTo(OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED);
        assertThat(state.getOutput().getValue()).isEqualTo("late");
        assertThat(state.hasFailureDetails()).isFalse();
    }

    @Test
    void a_failure_without_details_has_none() {
        OrchestrationState state = OrchestrationStates.withPayloads(
                summary("Failed", state(OrchestrationStatus.ORCHESTRATION_STATUS_FAILED, null), "", null));

        assertThat(state.hasFailureDetails()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "PENDING, Running, PENDING",
        "RUNNING, Running, RUNNING",
        "SUSPENDED, Running, SUSPENDED",
        "SUSPENDED, ContinuedAsNew, SUSPENDED",
        "RUNNING, ContinuedAsNew, RUNNING",
        "CANCELED, Failed, CANCELED",
        "RUNNING, Failed, FAILED",
        "PENDING, Completed, COMPLETED"
    })
    void a_host_says_more_than_the_store_but_for_an_end_that_it_knows_nothing_of(
            String kept, String stored, String shown) {
        InstanceState state = state(status(kept), null);

        assertThat(OrchestrationStates.status(summary(stored, state, null, null)))
                .isEqualTo(status(shown));
    }

    @ParameterizedTest
    @CsvSource({"Running, RUNNING", "ContinuedAsNew, RUNNING", "Completed, COMPLETED", "Failed, FAILED"})
    void of_an_instance_that_no_host_has_acked_the_store_says_the_status(String stored, String shown) {
        InstanceSummary instance = summary(stored, null, null, null);

        OrchestrationState state = OrchestrationStates.withPayloads(instance);

        assertThat(state.getOrchestrationStatus()).isEqualTo(status(shown));
        assertThat(state.hasCompletedTimestamp() || state.hasExecutionId()).isFalse();
        assertThat(state.getParentInstanceId().getValue()).isEqualTo("the store's parent");
    }

    @Test
    void a_failure_that_no_host_has_written_has_a_message() {
        OrchestrationState state = OrchestrationStates.withPayloads(summary("Failed", null, "it went boom", null));

        assertThat(state.getFailureDetails())
                .isEqualTo(TaskFailureDetails.newBuilder()
                        .setErrorType("OrchestrationFailed")
                        .setErrorMessage("it went boom")
                        .build());
        assertThat(state.hasOutput()).isFalse();
    }

    @Test
    void what_another_runtime_has_kept_along_is_not_read() {
        InstanceSummary instance = new InstanceSummary(
                "order-7", "Order", "", 1, "Running", CREATED, UPDATED, null, new InstanceExt("{\"a\":1}"), null);

        OrchestrationState state = OrchestrationStates.withoutPayloads(instance);

        assertThat(state.getOrchestrationStatus()).isEqualTo(OrchestrationStatus.ORCHESTRATION_STATUS_RUNNING);
        assertThat(state.hasVersion() || state.hasParentInstanceId()).isFalse();
    }

    @Test
    void what_lies_in_events_is_told_by_what_a_host_has_kept() {
        InstanceState ended = state(OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED, null);
        InstanceState large = ended.withOutputIn(7);

        assertThat(OrchestrationStates.hasInput(summary("Completed", ended, null, null)))
                .isTrue();
        assertThat(OrchestrationStates.hasInput(summary("Completed", null, null, null)))
                .as("another runtime's")
                .isTrue();
        assertThat(OrchestrationStates.outputEvent(summary("Completed", ended, "42", null)))
                .isEmpty();
        assertThat(OrchestrationStates.outputEvent(summary("Completed", large, null, null)))
                .hasValue(7);
        assertThat(InstanceState.of(large.toExt())).contains(large);
    }

    @Test
    void conditions_name_the_fields_that_are_kept() {
        assertThat(OrchestrationStates.withStatus(List.of(
                        OrchestrationStatus.ORCHESTRATION_STATUS_PENDING,
                        OrchestrationStatus.ORCHESTRATION_STATUS_PENDING,
                        OrchestrationStatus.ORCHESTRATION_STATUS_FAILED)))
                .isEqualTo(new ExtCondition.OneOf("status", List.of("PENDING", "FAILED")));
        assertThat(OrchestrationStates.completed(ENDED, null))
                .isEqualTo(new ExtCondition.Between("completedAt", ENDED.toEpochMilli(), null));
    }

    private static OrchestrationStatus status(String text) {
        return OrchestrationStatus.valueOf("ORCHESTRATION_STATUS_" + text);
    }

    private static InstanceState state(OrchestrationStatus status, @Nullable TaskFailureDetails failure) {
        Instant ended = OrchestrationStates.isEnd(status) ? ENDED : null;
        return new InstanceState(status, "guid-1", Map.of("tenant", "a"), "the parent", 3, CREATED, ended, failure, 0);
    }

    private static InstanceSummary summary(
            String status, @Nullable InstanceState state, @Nullable String output, @Nullable String customStatus) {
        return summary(status, state, new InstanceSummary.Texts(output, new CustomStatus(customStatus, 1)));
    }

    private static InstanceSummary summaryWithoutTexts(String status, InstanceState state) {
        return summary(status, state, null);
    }

    private static InstanceSummary summary(
            String status, @Nullable InstanceState state, InstanceSummary.@Nullable Texts texts) {
        return new InstanceSummary(
                "order-7",
                "Order",
                "2.0",
                1,
                status,
                CREATED,
                UPDATED,
                "the store's parent",
                state == null ? null : state.toExt(),
                texts);
    }
}
