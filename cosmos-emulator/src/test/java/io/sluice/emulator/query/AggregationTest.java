package io.sluice.emulator.query;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Documentation "Aggregate functions": undefined is left out, one string makes a sum undefined. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
final class AggregationTest {
    private static final String[] ORDERS = {
        "{'id':'1','kind':'a','n':3,'tags':['x','y'],'lines':[{'sku':'p','qty':2},{'sku':'q','qty':1}]}",
        "{'id':'2','kind':'b','n':1,'tags':['y'],'lines':[]}",
        "{'id':'3','kind':'a','n':2,'tags':[],'lines':[{'sku':'p','qty':5}]}",
        "{'id':'4','kind':'b','tags':'none'}"
    };

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "COUNT(1)#[4]",
                "COUNT(c.n)#[3]",
                "COUNT(c.missing)#[0]",
                "SUM(c.n)#[6]",
                "SUM(c.missing)#[0]",
                "SUM(c.kind)#[]",
                "AVG(c.n)#[2]",
                "AVG(c.missing)#[]",
                "AVG(c.kind)#[]",
                "MIN(c.n)#[1]",
                "MAX(c.n)#[3]",
                "MIN(c.missing)#[]",
                "MAX(c.kind)#[\"b\"]",
                "MIN(c.lines)#[]",
                "COUNTIF(c.kind = 'a')#[2]",
                "COUNTIF(c.n > 1)#[2]",
                "SUM(c.n) / COUNT(c.n)#[2]"
            })
    void over_all_rows(String aggregate, String expected) {
        assertThat(Queries.run("SELECT VALUE " + aggregate + " FROM c", ORDERS)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {"COUNT(1)#[0]", "SUM(c.n)#[0]", "AVG(c.n)#[]", "MIN(c.n)#[]", "MAX(c.n)#[]"})
    void over_no_rows(String aggregate, String expected) {
        assertThat(Queries.run("SELECT VALUE " + aggregate + " FROM c WHERE false", ORDERS))
                .isEqualTo(expected);
    }

    @Test
    void of_mixed_types_the_least_and_greatest_follow_the_order_of_types() {
        String[] primitives = {"{'x':'s'}", "{'x':5}", "{'x':false}", "{}"};

        assertThat(Queries.run("SELECT MIN(c.x) AS least, MAX(c.x) AS most FROM c", primitives))
                .isEqualTo("[{\"least\":false,\"most\":\"s\"}]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "SELECT c.kind, COUNT(1) AS n FROM c GROUP BY c.kind"
                        + "#[{\"kind\":\"a\",\"n\":2},{\"kind\":\"b\",\"n\":2}]",
                "SELECT VALUE MAX(c.n) FROM c GROUP BY c.kind#[3,1]",
                "SELECT c.n > 1 AS large, COUNT(1) AS n FROM c GROUP BY c.n > 1"
                        + "#[{\"large\":true,\"n\":2},{\"large\":false,\"n\":1},{\"n\":1}]",
                "SELECT UPPER(c.kind) AS k FROM c GROUP BY c.kind#[{\"k\":\"A\"},{\"k\":\"B\"}]",
                "SELECT t, SUM(c.n) AS n FROM c JOIN t IN c.tags GROUP BY t"
                        + "#[{\"t\":\"x\",\"n\":3},{\"t\":\"y\",\"n\":4}]",
                "SELECT VALUE COUNT(1) FROM c WHERE false GROUP BY c.kind#[]",
                "SELECT c.kind FROM c GROUP BY c.kind OFFSET 1 LIMIT 1#[{\"kind\":\"b\"}]"
            })
    void by_group(String sql, String expected) {
        assertThat(Queries.run(sql, ORDERS)).isEqualTo(expected);
    }
}
