package io.sluice.provider.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.history.DecodingException;
import io.sluice.provider.history.HistoryJson;
import io.sluice.provider.json.Vector;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random damage to valid texts: a reader refuses in its own words or reads something that it can write and read again. */
class DecodingFuzzTest {
    private static final int MUTANTS_PER_TEXT = 40;
    private static final String TOKENS = "{}[]\",:\\ 0123456789.-+eE/ntrufalsé\u0000\u001f\ud83d\ude00\ufeff";
    private static final List<String> SCRAPS = List.of(
            "null",
            "true",
            "-1",
            "7.0",
            "18446744073709551616",
            "1e999",
            "\"\"",
            "\"\\ud800\"",
            "{}",
            "[]",
            "[[",
            "{\"a\":",
            ",\"type\":\"TimerFired\"",
            "\\u0000",
            "\"event_id\":1,",
            "{\"Poison\":{}}");

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 8);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void damaged_events_are_refused_or_read_consistently(long seed) {
        damage(seed, Vector.all("events.json"), json -> HistoryJson.encode(HistoryJson.decode(json)));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void damaged_work_items_are_refused_or_read_consistently(long seed) {
        damage(seed, Vector.all("work-items.json"), json -> WorkItemJson.encode(WorkItemJson.decode(json)));
    }

    private static void damage(long seed, Stream<Vector> vectors, UnaryOperator<String> readAndWrite) {
        var random = new SplittableRandom(seed);
        for (Vector vector : vectors.toList()) {
            for (int i = 0; i < MUTANTS_PER_TEXT; i++) {
                String mutant = mutant(vector.text("rust_string"), random);
                check(seed, mutant, readAndWrite);
            }
        }
    }

    private static void check(long seed, String mutant, UnaryOperator<String> readAndWrite) {
        String written;
        try {
            written = readAndWrite.apply(mutant);
        } catch (DecodingException refusal) {
            assertThat(refusal.offset())
                    .as("seed %d, place in %s", seed, mutant)
                    .isBetween(0L, (long) mutant.length());
            return;
        } catch (RuntimeException | StackOverflowError e) {
            throw new AssertionError("seed " + seed + " made a reader stumble over: " + mutant, e);
        }
        assertThat(readAndWrite.apply(written))
                .as("seed %d, twice %s", seed, mutant)
                .isEqualTo(written);
    }

    private static String mutant(String text, SplittableRandom random) {
        var mutant = new StringBuilder(text);
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            mutate(mutant, random);
        }
        return mutant.toString();
    }

    private static void mutate(StringBuilder text, SplittableRandom random) {
        int from = random.nextInt(text.length() + 1);
        int to = Math.min(text.length(), from + random.nextInt(1, 12));
        switch (random.nextInt(6)) {
            case 0 -> text.delete(from, to);
            case 1 -> text.insert(from, text.substring(from, to));
            case 2 -> text.insert(from, TOKENS.charAt(random.nextInt(TOKENS.length())));
            case 3 -> text.replace(from, to, SCRAPS.get(random.nextInt(SCRAPS.size())));
            case 4 -> text.setLength(from);
            default -> replaceAValue(text, random);
        }
    }

    /** Keeps the text well-formed more often than not, so that the damage reaches beyond the parser. */
    private static void replaceAValue(StringBuilder text, SplittableRandom random) {
        int colon = text.indexOf(":", random.nextInt(text.length() + 1));
        int end = colon < 0 ? -1 : text.indexOf(",", colon);
        if (end > 0) {
            text.replace(colon + 1, end, SCRAPS.get(random.nextInt(SCRAPS.size())));
        }
    }
}
