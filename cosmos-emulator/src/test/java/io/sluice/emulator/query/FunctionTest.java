package io.sluice.emulator.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.query.function.BuiltIn;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** The table {@code functions.csv}: call, value, and the page of the service's documentation the row comes from. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
final class FunctionTest {
    private static final String DOCUMENT = "{'s':'text','n':-2.5,'i':7,'nil':null,'yes':true,'list':[1,2,3],"
            + "'o':{'a':1,'b':'x'},'tags':[{'id':1,'k':'x'},{'id':2,'k':'y'}]}";

    @ParameterizedTest(name = "{0} = {1}")
    @CsvFileSource(resources = "functions.csv", delimiter = '#', quoteCharacter = '`', numLinesToSkip = 1)
    void answers_what_its_page_says(String call, String expected, String source) {
        assertThat(Queries.value(call, DOCUMENT)).as(source).isEqualTo(expected);
    }

    @Test
    void every_function_has_a_row() throws IOException {
        Set<String> tested = new TreeSet<>(Set.of("RAND"));
        try (InputStream table = FunctionTest.class.getResourceAsStream("functions.csv")) {
            new String(Objects.requireNonNull(table).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .skip(1)
                    .forEach(row -> tested.add(row.substring(0, row.indexOf('('))));
        }

        assertThat(tested).containsAll(BuiltIn.all().stream().map(BuiltIn::name).toList());
    }

    @Test
    void random_numbers_lie_between_zero_and_one() {
        double random = Double.parseDouble(Queries.value("RAND()"));

        assertThat(random).isBetween(0.0, 1.0);
    }

    @Test
    void a_name_may_be_written_in_any_case() {
        assertThat(Queries.value("Is_Defined(c.s) AND startswith(c.s, 't')", DOCUMENT))
                .isEqualTo("true");
    }
}
