package io.sluice.emulator;

import static io.sluice.emulator.Clients.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No index answers whether a list holds a document's value: the service asks every document that is left. */
class ListFilterIT {
    private static final double QUERY = 2.8;
    private static final double DOCUMENT = 0.05;
    /** Where that is more than for the documents. */
    private static final double KB = 0.0104;
    /** What the bytes of so small results cost at most. */
    private static final double RESULTS = 0.04;

    private static final int ITEMS = 300;
    private static final int OF_A_KIND = 30;

    @RegisterExtension
    static final RunningEmulator EMULATOR = RunningEmulator.inMemory();

    private CosmosContainer container;

    @BeforeEach
    void fill() {
        container = EMULATOR.container();
        for (int i = 0; i < ITEMS; i++) {
            container.createItem(
                    item("a", "i" + i).put("kind", i % (ITEMS / OF_A_KIND)).put("at", i));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ARRAY_CONTAINS(@ids, c.id)                                   | 300",
                "c.kind = 1 AND ARRAY_CONTAINS(@ids, c.id)                    | 30",
                "ARRAY_CONTAINS(@ids, c.id) AND c.kind = 1 AND c.at < 51      | 5",
                "ARRAY_CONTAINS(['i1', 'i11'], c.id)                          | 300",
                "c.kind = 1 AND NOT ARRAY_CONTAINS(@ids, c.id)                | 30",
                "c.kind = 1 AND NOT (NOT ARRAY_CONTAINS(@ids, c.id))          | 30",
                "c.kind = 1 AND (c.at > 200 OR ARRAY_CONTAINS(@ids, c.id))    | 30",
                "c.kind = 1 AND c.at < 0 AND ARRAY_CONTAINS(@ids, c.id)       | 0",
                "c.id IN ('i1', 'i11')                                        | 2",
                "ARRAY_CONTAINS(c.tags, 7)                                    | 0"
            })
    void every_document_that_the_rest_of_the_filter_lets_through_is_charged(String filter, int documents) {
        assertThat(chargeOf("SELECT VALUE 1 FROM c WHERE " + filter)).isCloseTo(charge(documents), within(RESULTS));
    }

    @Test
    void a_count_is_charged_so_too() {
        assertThat(chargeOf("SELECT VALUE COUNT(1) FROM c WHERE c.kind = 1 AND ARRAY_CONTAINS(@ids, c.id)"))
                .as("and for its result")
                .isCloseTo(charge(OF_A_KIND + 1), within(RESULTS));
    }

    @Test
    void what_comes_behind_the_last_result_in_the_order_is_not_asked() {
        String sql = "SELECT TOP 3 VALUE 1 FROM c WHERE %s ORDER BY c.at";
        double without = chargeOf(sql.formatted("c.at >= 0"));

        assertThat(chargeOf(sql.formatted("NOT ARRAY_CONTAINS(@ids, c.id)")))
                .as("i1 comes between them")
                .isCloseTo(without + DOCUMENT, within(RESULTS));
        assertThat(chargeOf(sql.formatted("c.at > 1 AND NOT ARRAY_CONTAINS(@ids, c.id)")))
                .as("i11 comes behind them")
                .isCloseTo(without, within(RESULTS));
    }

    @Test
    void large_documents_are_charged_by_size() {
        int sizeKb = 50;
        var text = "x".repeat(sizeKb * 1024);
        for (int i = 0; i < 20; i++) {
            container.createItem(item("a", "large" + i).put("kind", "large").put("text", text));
        }
        String sql = "SELECT VALUE 1 FROM c WHERE c.kind = 'large'%s ORDER BY c.id";

        double asked = chargeOf(sql.formatted(" AND ARRAY_CONTAINS(@ids, c.id)"));

        assertThat(asked).isCloseTo(QUERY + 20 * sizeKb * KB, within(0.5));
    }

    private double chargeOf(String sql) {
        var log = EMULATOR.emulator().requests();
        log.clear();
        var query = new SqlQuerySpec(sql, new SqlParameter("@ids", List.of("i1", "i11")));
        var options = new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey("a"));
        options.setMaxDegreeOfParallelism(0);
        var unused = container.queryItems(query, options, Object.class).stream().toList();
        LoggedRequest asked = log.all().stream()
                .filter(request -> request.operation() == RequestKind.QUERY)
                .reduce((before, after) -> after)
                .orElseThrow();
        return asked.requestCharge();
    }

    private static double charge(int documents) {
        return QUERY + documents * DOCUMENT;
    }
}
