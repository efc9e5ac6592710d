package io.sluice.provider.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.BridgeInternal;
import com.azure.cosmos.CosmosException;
import io.sluice.provider.ProviderException;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AnswersTest {
    private static final Call CALL = Call.onInstance("ackOrchestrationItem", "order-7", Duration.ofSeconds(1));

    @ParameterizedTest
    @CsvSource({
        "400, REJECTED, false",
        "401, REJECTED, true",
        "403, REJECTED, true",
        "404, NOT_FOUND, false",
        "407, REJECTED, true",
        "408, AMBIGUOUS, true",
        "409, CONFLICT, true",
        "410, TRANSIENT, true",
        "412, PRECONDITION_FAILED, true",
        "413, REJECTED, false",
        "429, THROTTLED, true",
        "449, TRANSIENT, true",
        "500, AMBIGUOUS, true",
        "503, AMBIGUOUS, true",
    })
    void what_may_pass_is_never_permanent(int status, RequestObserver.Kind kind, boolean retryable) {
        WriteOutcome outcome = Answers.of(answer(status));

        ProviderException failure = Failures.of(CALL, outcome);

        assertThat(RequestObserver.Kind.of(outcome)).isEqualTo(kind);
        assertThat(failure.retryable())
                .as("a permanent error makes a runtime fail the orchestration")
                .isEqualTo(retryable);
        assertThat(failure.operation()).isEqualTo("ackOrchestrationItem");
        assertThat(failure).hasMessageContaining("order-7");
    }

    /** A missing document and what only looks like one: a document that is taken for gone is not looked for again. */
    @ParameterizedTest
    @CsvSource({"0, NOT_FOUND", "1002, TRANSIENT", "1003, REJECTED", "1013, TRANSIENT", "1024, TRANSIENT"})
    void a_document_is_missing_only_where_the_container_was_asked(int subStatus, RequestObserver.Kind kind) {
        assertThat(RequestObserver.Kind.of(Answers.of(answer(404, subStatus)))).isEqualTo(kind);
    }

    /** The region that took it has applied it; the SDK could not see the others have it, as they were throttled. */
    @Test
    void a_write_whose_replication_was_throttled_leaves_doubt() {
        WriteOutcome outcome = Answers.ofWrite(answer(408, 21013));

        assertThat(outcome).isInstanceOf(WriteOutcome.Ambiguous.class);
        assertThat(outcome.isOnlyForNow()).as("certainly not applied").isFalse();
        assertThat(Failures.of(CALL, outcome).retryable()).isTrue();
    }

    @Test
    void a_full_partition_is_about_the_instance_and_a_missing_role_is_not() {
        WriteOutcome full = new WriteOutcome.Rejected(403, 1014, "full", null);
        WriteOutcome noRole = new WriteOutcome.Rejected(403, 5300, "no role", null);

        assertThat(full.isOnlyForNow()).isFalse();
        assertThat(Failures.of(CALL, full).retryable()).isFalse();
        assertThat(noRole.isOnlyForNow()).isTrue();
        assertThat(Failures.of(CALL, noRole).retryable()).isTrue();
    }

    @Test
    void a_refusal_after_a_repetition_in_another_region_leaves_doubt() {
        Set<String> both = Set.of("North", "South");
        List<WriteOutcome> refusals = List.of(
                new WriteOutcome.Refused(WriteOutcome.Refusal.PRECONDITION_FAILED, 0),
                new WriteOutcome.Refused(WriteOutcome.Refusal.CONFLICT, 0),
                new WriteOutcome.Refused(WriteOutcome.Refusal.NOT_FOUND, 0),
                new WriteOutcome.Throttled(Duration.ofMillis(1), null),
                new WriteOutcome.Transient("the region takes no writes just now", null),
                new WriteOutcome.Rejected(401, 0, "wrong key", null),
                new WriteOutcome.Rejected(403, 1014, "partition full", null));

        for (WriteOutcome refusal : refusals) {
            assertThat(Answers.afterRegions(refusal, Set.of("North"))).isEqualTo(refusal);
            assertThat(Answers.afterRegions(refusal, both)).isInstanceOf(WriteOutcome.Ambiguous.class);
        }
    }

    @Test
    void what_would_be_refused_anywhere_stays_refused_after_a_repetition() {
        WriteOutcome committed = new WriteOutcome.Committed(List.of(), List.of(), 1);
        WriteOutcome senseless = new WriteOutcome.Rejected(400, 0, "bad", null);

        assertThat(Answers.afterRegions(committed, Set.of("North", "South"))).isEqualTo(committed);
        assertThat(Answers.afterRegions(senseless, Set.of("North", "South"))).isEqualTo(senseless);
    }

    @Test
    void a_connection_that_broke_leaves_doubt_and_one_that_was_never_made_does_not() {
        assertThat(Answers.of(new IOException("connection reset"))).isInstanceOf(WriteOutcome.Ambiguous.class);
        assertThat(Answers.of(new IOException(new ConnectException("refused"))))
                .isInstanceOf(WriteOutcome.Transient.class);
    }

    private static CosmosException answer(int status) {
        return BridgeInternal.createCosmosException(status, "answered " + status);
    }

    private static CosmosException answer(int status, int subStatus) {
        return BridgeInternal.createCosmosException(
                "answered " + status, null, Map.of("x-ms-substatus", String.valueOf(subStatus)), status, "");
    }
}
