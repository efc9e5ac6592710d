package io.sluice.emulator.http.dataplane;

import static java.util.Objects.requireNonNull;

import io.sluice.emulator.document.StatusException;
import io.sluice.testkit.fuzz.Fuzz;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Damaged continuation tokens of queries are refused with 400, or read and written back the same. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ContinuationFuzzTest {
    @Test
    void a_damaged_continuation_is_read_and_written_the_same_or_refused() {
        Fuzz.of(
                        "continuations",
                        List.of(
                                "{\"pending\":[[\"\",\"FF\",0,0]]}",
                                "{\"kept\":[\"a\",\"\",\"FF\"],\"pending\":[[\"\",\"3F\",5,2],[\"3F\",\"FF\",9223372036854775807,2147483647]]}"))
                .refusedBy(StatusException.class)
                .rewritten(text -> requireNonNull(QueryContinuation.parse(text)).text());
    }
}
