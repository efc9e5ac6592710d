package io.sluice.benchmarks.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The numbers in {@code docs/limits.md} equal the constants in the same rows. */
class LimitsTest {
    private static final Path LIMITS = Path.of("docs", "limits.md");
    private static final Pattern REFERENCE = Pattern.compile("\\b([A-Z]\\w*)\\.([A-Z][A-Z0-9_]+)\\b");
    private static final Pattern CONSTANT = Pattern.compile("`([A-Z]\\w+)\\.([A-Z][A-Z0-9_]+)`");

    @Test
    void every_number_is_that_of_its_constant() throws IOException {
        List<String> wrong = new ArrayList<>();
        int checked = 0;
        for (String row : Repository.text(LIMITS).lines().toList()) {
            for (MatchResult named : CONSTANT.matcher(row).results().toList()) {
                var value = value(named.group(1), named.group(2));
                checked++;
                if (shown(value).noneMatch(number -> cells(row).anyMatch(cell -> says(cell, number)))) {
                    wrong.add(named.group() + " is " + value + ", but its row says: " + row);
                }
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(checked).isGreaterThan(20);
    }

    /** Whether the number is there, and not as a part of a longer one. */
    private static boolean says(String cell, String number) {
        return Pattern.compile("(?<![0-9]|[0-9] )" + Pattern.quote(number) + "(?! ?[0-9])")
                .matcher(cell)
                .find();
    }

    private static Stream<String> cells(String row) {
        return Stream.of(row.split("\\|", -1)).map(String::strip);
    }

    /** Number and, of a time, all units in which it is whole. */
    private static Stream<String> shown(String value) {
        if (!value.startsWith("Duration.of")) {
            long number = product(value);
            return number % 86_400 == 0 ? Stream.of(spaced(number), number / 86_400 + " d") : Stream.of(spaced(number));
        }
        long number = product(value.replaceAll(".*\\((.*)\\)", "$1"));
        String unit = value.replaceAll("Duration\\.of(\\w+)\\(.*", "$1");
        return Stream.of(
                switch (unit) {
                    case "Days" -> number + " d";
                    case "Hours" -> number + " h";
                    case "Minutes" -> number + " min";
                    case "Seconds" -> number + " s";
                    case "Millis" -> number + " ms";
                    default -> throw new IllegalStateException("an unknown unit: " + value);
                });
    }

    private static String value(String type, String constant) throws IOException {
        var file = Repository.files(
                path -> path.endsWith(type + ".java") && path.toString().contains("main"));
        assertThat(file).as("sources of %s", type).hasSize(1);
        var found = Pattern.compile("\\b" + constant + "\\s*=\\s*([^;]+);").matcher(Repository.text(file.get(0)));
        assertThat(found.find()).as("%s has no %s", type, constant).isTrue();
        String expression = found.group(1).replaceAll("\\s+", " ");
        Matcher reference = REFERENCE.matcher(expression);
        if (reference.matches()) {
            return value(reference.group(1), reference.group(2));
        }
        StringBuilder numbers = new StringBuilder();
        reference.reset();
        while (reference.find()) {
            long number = product(value(reference.group(1), reference.group(2)));
            reference.appendReplacement(numbers, Long.toString(number));
        }
        return reference.appendTail(numbers).toString().replace("_", "");
    }

    /** Sums, differences and products of whole numbers, as constants are written. */
    private static long product(String expression) {
        long sum = 0;
        for (String term : expression.replace("- ", "+ -").split("\\+ ", -1)) {
            sum += LongStream.of(Stream.of(term.replace("L", "").split("\\*", -1))
                            .map(String::strip)
                            .mapToLong(Long::parseLong)
                            .toArray())
                    .reduce(1, (a, b) -> a * b);
        }
        return sum;
    }

    private static String spaced(long number) {
        return String.format(Locale.ROOT, "%,d", number).replace(',', ' ');
    }
}
