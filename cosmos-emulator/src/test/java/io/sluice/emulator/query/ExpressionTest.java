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
                    "5 | 5",
                    "1.5 | 1.5",
                    ".5 | 0.5",
                    "1e3 | 1000",
                    "9007199254740993 | 9007199254740993",
                    "9223372036854775808 | 9.223372036854776E18",
                    "'it' | \"it\"",
                    "\"it's\" | \"it's\"",
                    "'it\\'s' | \"it's\"",
                    "'\\u0041\\n' | \"A\\n\"",
                    "true | true",
                    "null | null",
                    "undefined | undefined",
                    "c.n | 5",
                    "c['n'] | 5",
                    "c.o.p.q | 7",
                    "c.o['a b'] | 8",
                    "c['o'].p['q'] | 7",
                    "c.list[0] | 1",
                    "c.list[2].x | 3",
                    "c.list[3] | undefined",
                    "c.list[-1] | undefined",
                    "c.list[0.5] | undefined",
                    "c.list.x | undefined",
                    "c.missing | undefined",
                    "c.missing.deeper | undefined",
                    "c.nil.deeper | undefined",
                    "c.s[0] | undefined",
                    "[1, 'a', null] | [1,\"a\",null]",
                    "{'a': 1, b: c.n, \"c\": c.missing} | {\"a\":1,\"b\":5}",
                    "{} | {}",
                    "[] | []"
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
                    "1 = 1.0 | true",
                    "1 = '1' | false",
                    "'1' = 1 | false",
                    "null = null | true",
                    "null = 0 | false",
                    "null = false | false",
                    "true = 1 | false",
                    "undefined = undefined | undefined",
                    "undefined = null | undefined",
                    "c.missing = 5 | undefined",
                    "[1, 2] = [1, 2.0] | true",
                    "[1, 2] = [2, 1] | false",
                    "{'a': 1, 'b': 2} = {'b': 2, 'a': 1} | true",
                    "{'a': 1} = {'a': 1, 'b': 2} | false",
                    "1 != 2 | true",
                    "1 <> 2 | true",
                    "1 != '1' | true",
                    "c.nil != null | false",
                    "c.n != null | true",
                    "c.missing != null | undefined",
                    "1 < 2 | true",
                    "2 <= 2 | true",
                    "'a' < 'b' | true",
                    "'B' < 'a' | true",
                    "false < true | true",
                    "null <= null | true",
                    "null < null | false",
                    "null <= 5 | undefined",
                    "5 > null | undefined",
                    "'1' < 2 | undefined",
                    "true > 0 | undefined",
                    "undefined < 5 | undefined",
                    "5 >= undefined | undefined",
                    "[1] < [2] | undefined",
                    "{} >= {} | undefined",
                    "9007199254740993 > 9007199254740992 | true"
                })
        void is_strict_about_types(String expression, String expected) {
            assertThat(Queries.value(expression, DOCUMENT)).isEqualTo(expected);
        }
    }

    /** Documentation "Logical operators": the three-valued tables, all combinations. */
    @Nested
    final class Logic {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "true OR true | true",
                    "true OR false | true",
                    "true OR undefined | true",
                    "false OR true | true",
                    "false OR false | false",
                    "false OR undefined | undefined",
                    "undefined OR true | true",
                    "undefined OR false | undefined",
                    "undefined OR undefined | undefined",
                    "true AND true | true",
                    "true AND false | false",
                    "true AND undefined | undefined",
                    "false AND true | false",
                    "false AND false | false",
                    "false AND undefined | false",
                    "undefined AND true | undefined",
                    "undefined AND false | false",
                    "undefined AND undefined | undefined",
                    "NOT true | false",
                    "NOT false | true",
                    "NOT undefined | undefined",
                    "NOT null | undefined",
                    "NOT 1 | undefined",
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
                    "1 + 2 * 3 | 7",
                    "(1 + 2) * 3 | 9",
                    "7 - 2 - 1 | 4",
                    "7 / 2 | 3.5",
                    "6 / 2 | 3",
                    "7 % 3 | 1",
                    "-7 % 3 | -1",
                    "0.1 + 0.2 | 0.30000000000000004",
                    "9007199254740993 + 1 | 9007199254740994",
                    "9223372036854775807 + 1 | 9.223372036854776E18",
                    "1e308 * 10 | undefined",
                    "-c.n | -5",
                    "+c.n | 5",
                    "- -c.n | 5",
                    "-c.s | undefined",
                    "c.n + c.missing | undefined",
                    "c.n + '1' | undefined",
                    "c.n + null | undefined",
                    "100 >> 2 | 25",
                    "100 << 2 | 400",
                    "100 >>> 0 | 100",
                    "-1 >>> 0 | 4294967295",
                    "100 & 1000 | 96",
                    "100 | 1000 | 1004",
                    "100 ^ 1000 | 908",
                    "~5 | -6",
                    "4294967296 | 0 | 0"
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
                    "c.missing IN (1) | undefined",
                    "c.missing NOT IN (1) | undefined",
                    "c.nil IN (null) | true",
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
                    "'' LIKE '%' | true",
                    "'' LIKE '_' | false",
                    "c.yes ? 1 : 2 | 1",
                    "c.no ? 1 : 2 | 2",
                    "c.missing ? 1 : 2 | 2",
                    "c.n ? 1 : 2 | 2",
                    "c.no ? 1 : c.yes ? 2 : 3 | 2",
                    "c.missing ?? 1 | 1",
                    "c.nil ?? 1 | null",
                    "c.missing ?? c.missing ?? 3 | 3",
                    "true ? c.missing ?? 3 : 4 | 3",
                    "'a' || 'b' || 'c' | \"abc\"",
                    "'a' || 1 | undefined"
                })
        void hold_or_not(String line) {
            int border = line.lastIndexOf('|');

            assertThat(Queries.value(line.substring(0, border).trim(), DOCUMENT))
                    .isEqualTo(line.substring(border + 1).trim());
        }
    }
}
