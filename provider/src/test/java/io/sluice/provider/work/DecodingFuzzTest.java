package io.sluice.provider.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.history.DecodingException;
import io.sluice.provider.history.HistoryJson;
import io.sluice.provider.json.Vector;
import io.sluice.testkit.fuzz.Fuzz;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * Random damage to valid texts: a reader refuses in its own words, with the place, or reads something that it can write
 * and read again.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DecodingFuzzTest {
    @Test
    void damaged_events_are_refused_or_read_consistently() {
        damage("events.json", json -> HistoryJson.encode(HistoryJson.decode(json)));
    }

    @Test
    void damaged_work_items_are_refused_or_read_consistently() {
        damage("work-items.json", json -> WorkItemJson.encode(WorkItemJson.decode(json)));
    }

    private static void damage(String vectors, UnaryOperator<String> readAndWrite) {
        var examples =
                Vector.all(vectors).map(vector -> vector.text("rust_string")).toList();
        Fuzz.of(vectors, examples).refusedBy(DecodingException.class).rewritten(text -> {
            try {
                return readAndWrite.apply(text);
            } catch (DecodingException refusal) {
                assertThat(refusal.offset()).as("place").isBetween(0L, Long.valueOf(text.length()));
                throw refusal;
            }
        });
    }
}
