package io.sluice.emulator.query;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expression, value, and in the heading of each table the rule of the service it comes from. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
final class ExpressionTest {
    private static final String DOCUMENT =
            "{'id':'a','n':5,'s':'text','yes':true,'no':false,'nil':null,'list':[1,'two',{'x':3}],'o':{'p':{'q':7},'a b':8}}";

    /** Documentation "Constants", "Property access": a missing property is undefined, an index is counted from 0. */
    @Nested
    final class Terms {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "1.5 | 1.5",
                    "1e3 | 1000",
                    "9007199254740993 | 9007199254740993",
                    "9223372036854775808 | 9.223372036854776E18",
                    "'it' | \"it\"",
                    "\"it's\" | \"it's\"",
                    "'\\u0041\\n' | \"A\\n\"",
                    "c.n | 5",
                    "c['n'] | 5",
                    "c.o.p.q | 7",
                    "c.o['a b'] | 8",
                    "c['o'].p['q'] | 7",
                    "c.list[2].x | 3",
                    "c.list[0.5] | undefined",
                    "c.list.x | undefined",
                    "c.missing | undefined",
                    "c.nil.deeper | undefined",
                    "{'a': 1, b: c.n, \"c\": c.missing} | {\"a\":1,\"b\":5}"
                })
        void are_what_they_say(String expression, String expected) {
            assertThat(Queries.value(expression, DOCUMENT)).isEqualTo(expected);
        }

        /** Measured on an account: the array keeps its length. */
        @ParameterizedTest
        @CsvSource(delimiter = '|', value = "[c.n, c.missing] | [5,null]")
        void an_undefined_element_becomes_null(String expression, String expected) {
            assertThat(Queries.value(expression, DOCUMENT)).isEqualTo(expected);
        }
    }

    /** Documentation "Equality and comparison operators"; across types as the SDK team's own model of the service. */
    @Nested
    final class Comparison {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "1 = 1 | true",
                    "1 = '1' | false",
                    "'1' = 1 | false",
                    "null = false | false",
                    "true = 1 | false",
                    "undefined = null | undefined",
                    "[1, 2] = [1, 2.0] | true",
                    "{'a': 1} = {'a': 1, 'b': 2} | false",
                    "1 <> 2 | true",
                    "1 != '1' | true",
                    "c.nil != null | false",
                    "c.n != null | true",
                    "c.missing != null | undefined",
                    "'a' < 'b' | true",
                    "null <= null | true",
                    "null < null | false",
                    "5 > null | undefined",
                    "5 >= undefined | undefined",
                    "9007199254740993 > 9007199254740992 | true"
                })
        void is_strict_about_types(String expression, String expected) {
            assertThat(Queries.value(expression, DOCUMENT)).isEqualTo(expected);
        }
    }

    /**
     * Documentation "Logical operators"; all combinations of true, false and undefined are in the table of queries.
     */
    @Nested
    final class Logic {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "null OR true | true",
                    "null AND true | undefined",
                    "1 AND false | false",
                    "true OR false AND false | true",
                    "NOT false AND false | false",
                    "NOT NOT true | true"
                })
        void has_three_values(String expression, String expected) {
            assertThat(Queries.value(expression)).isEqualTo(expected);
        }
    }

    /**
     * Documentation "Arithmetic operators", "Bitwise operators" (32 bits), and measured on an account (64-bit sums).
     */
    @Nested
    final class Numbers {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "7 - 2 - 1 | 4",
                    "6 / 2 | 3",
                    "0.1 + 0.2 | 0.30000000000000004",
                    "9007199254740993 + 1 | 9007199254740994",
                    "9223372036854775807 + 1 | 9.223372036854776E18",
                    "1e308 * 10 | undefined",
                    "-c.n | -5",
                    "+c.n | 5",
                    "- -c.n | 5",
                    "c.n + c.missing | undefined",
                    "c.n + '1' | undefined",
                    "c.n + null | undefined"
                })
        void are_computed(String line) {
            int border = line.lastIndexOf('|');

            assertThat(Queries.value(line.substring(0, border).trim(), DOCUMENT))
                    .isEqualTo(line.substring(border + 1).trim());
        }
    }

    /** Documentation "Keywords" (BETWEEN, IN, LIKE) and "Ternary and coalesce operators". */
    @Nested
    final class Predicates {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "c.n IN (1, 5) | true",
                    "c.n IN ('5') | false",
                    "c.n NOT IN (1, 2) | true",
                    "c.missing NOT IN (1) | undefined",
                    "c.n IN (undefined, 5) | true",
                    "c.n BETWEEN 1 AND 5 | true",
                    "c.n BETWEEN 6 AND 9 | false",
                    "c.n NOT BETWEEN 6 AND 9 | true",
                    "c.s BETWEEN 1 AND 5 | undefined",
                    "c.n BETWEEN 1 AND 5 AND c.yes | true",
                    "c.s LIKE 'te%' | true",
                    "c.s LIKE '%x_' | true",
                    "c.s LIKE 't[a-f]xt' | true",
                    "c.s LIKE 't[^a-f]xt' | false",
                    "c.s NOT LIKE 'x%' | true",
                    "c.n LIKE '5' | undefined",
                    "'50%' LIKE '50!%' ESCAPE '!' | true",
                    "'500' LIKE '50!%' ESCAPE '!' | false",
                    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaab' LIKE '%a%a%a%a%a%a%a%a%a%c' | false",
                    "'' LIKE '_' | false",
                    "c.no ? 1 : 2 | 2",
                    "c.n ? 1 : 2 | 2",
                    "c.no ? 1 : c.yes ? 2 : 3 | 2",
                    "c.missing ?? 1 | 1",
                    "c.nil ?? 1 | null",
                    "true ? c.missing ?? 3 : 4 | 3",
                    "'a' || 'b' || 'c' | \"abc\""
                })
        void hold_or_not(String line) {
            int border = line.lastIndexOf('|');

            assertThat(Queries.value(line.substring(0, border).trim(), DOCUMENT))
                    .isEqualTo(line.substring(border + 1).trim());
        }
    }
}
