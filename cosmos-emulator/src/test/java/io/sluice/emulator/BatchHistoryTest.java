package io.sluice.emulator;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The checker finds what it is there for. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BatchHistoryTest {
    private final BatchHistory history = new BatchHistory(2);

    @BeforeEach
    void record() {
        history.wrote("t1", null, BatchHistory.Outcome.APPLIED);
        history.wrote("t2", "e1", BatchHistory.Outcome.UNKNOWN);
        history.wrote("t3", "e1", BatchHistory.Outcome.REFUSED);
        history.fed("0", batch("t1", 1, "e1"));
    }

    @Test
    void whole_transactions_in_order_pass() {
        history.fed("0", batch("t2", 2, "e2"));
        history.saw(0, "k", List.of("t1", "t1"));
        history.saw(0, "k", List.of("t2", "t2"));

        assertThatCode(() -> history.check("")).doesNotThrowAnyException();
    }

    @Test
    void a_reader_that_saw_half_a_batch_is_found() {
        history.fed("0", batch("t2", 2, "e2"));
        history.saw(0, "k", List.of("t1", "t2"));

        assertFails("t1, t2");
    }

    @Test
    void a_reader_that_goes_back_is_found() {
        history.fed("0", batch("t2", 2, "e2"));
        history.saw(0, "k", List.of("t2", "t2"));
        history.saw(0, "k", List.of("t1", "t1"));

        assertFails("goes back");
    }

    @Test
    void half_a_batch_in_the_feed_is_found() {
        history.fed("0", batch("t2", 2, "e2").subList(0, 1));
        history.saw(0, "k", List.of());

        assertFails("items of");
    }

    @Test
    void a_log_sequence_number_used_twice_is_found() {
        history.fed("0", batch("t2", 1, "e2"));
        history.saw(0, "k", List.of());

        assertFails("none is used twice");
    }

    @Test
    void two_transactions_with_one_log_sequence_number_are_found() {
        var both = Stream.concat(batch("t2", 2, "e2").stream(), batch("t4", 2, "e4").stream())
                .toList();

        assertThatThrownBy(() -> history.fed("0", both)).hasMessageContaining("transactions with");
    }

    @Test
    void a_write_over_a_version_it_did_not_know_is_found() {
        history.wrote("t4", "e1", BatchHistory.Outcome.APPLIED);
        history.fed("0", batch("t2", 2, "e2"));
        history.fed("0", batch("t4", 3, "e4"));
        history.saw(0, "k", List.of());

        assertFails("the version before");
    }

    @Test
    void a_refused_batch_that_applied_is_found() {
        history.fed("0", batch("t3", 2, "e2"));
        history.saw(0, "k", List.of());

        assertFails("was answered");
    }

    private void assertFails(String because) {
        assertThatThrownBy(() -> history.check(""))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(because);
    }

    private static List<JsonNode> batch(String transaction, long lsn, String etag) {
        return Stream.of("slot-0", "head")
                .map(id -> change(transaction, id, lsn, etag))
                .toList();
    }

    private static JsonNode change(String transaction, String id, long lsn, String etag) {
        var change = JsonNodeFactory.instance.objectNode();
        change.putObject("metadata").put("lsn", lsn);
        change.putObject("current")
                .put("id", id)
                .put("pk", "k")
                .put("tx", transaction)
                .put("_etag", etag);
        return change;
    }
}
