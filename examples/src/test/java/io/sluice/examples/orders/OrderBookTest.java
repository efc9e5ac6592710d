package io.sluice.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OrderBookTest {
    private static final String HEADER = String.join(",", OrderColumns.NAMES);
    private static final String GOOD = "A-1,Ada,standard,Kettle,2,118.00,SEK,SE,ok,none,no";

    @Test
    void the_shipped_order_book_is_what_the_generator_writes() throws IOException {
        try (var in = OrderBook.class.getResourceAsStream("/orders.csv")) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(OrderBookGenerator.generate());
        }
    }

    @Test
    void every_line_of_the_shipped_order_book_is_readable_and_every_way_is_taken() {
        OrderBook book = OrderBook.shipped();

        assertThat(book.rejected()).isEmpty();
        assertThat(book.orders()).hasSize(OrderBookGenerator.ORDERS);
        assertThat(book.orders()).extracting(Order::type).contains(OrderType.values());
        assertThat(book.orders()).extracting(Order::card).contains(Card.values());
        assertThat(book.orders()).extracting(Order::approval).contains(Approval.values());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '!',
            value = {
                "A-2,Ada,standard,Kettle,two,118.00,SEK,SE,ok,none,no     | quantity | whole number from 1",
                "A-2,Ada,standard,Kettle,0,118.00,SEK,SE,ok,none,no       | quantity | whole number from 1",
                "A-2,Ada,standard,Kettle,2,free,SEK,SE,ok,none,no         | amount   | decimal point",
                "A-2,Ada,standard,Kettle,2,-1,SEK,SE,ok,none,no           | amount   | above zero",
                "A-2,Ada,teleport,Kettle,2,118.00,SEK,SE,ok,none,no       | type     | standard, express",
                "A-2,Ada,standard,Kettle,2,118.00,Krona,SE,ok,none,no     | currency | ISO 4217",
                "A-2,Ada,standard,Kettle,2,118.00,SEK,Sweden,ok,none,no   | country  | two letters",
                "A-2,Ada,standard,Kettle,2,118.00,SEK,SE,maxed,none,no    | card     | ok, flaky, declined",
                "A-2,Ada,standard,Kettle,2,118.00,SEK,SE,ok,maybe,no      | approval | none, granted",
                "A-2,Ada,standard,Kettle,2,118.00,SEK,SE,ok,none,perhaps  | cancel   | yes or no",
                "A-2,Ada,standard,Kettle,2,118.00,SEK,SE,ok,none,yes      | cancel   | use pending with yes",
                "A-2,,standard,Kettle,2,118.00,SEK,SE,ok,none,no          | customer | fill it in",
                "A/2,Ada,standard,Kettle,2,118.00,SEK,SE,ok,none,no       | order_id | letters, digits",
                "A-1,Ada,standard,Kettle,2,118.00,SEK,SE,ok,none,no       | order_id | an id of its own",
                "A-2,Ada,standard                                         | -        | add or remove cells",
                "A-2,\"Ada,standard,Kettle,2,118.00,SEK,SE,ok,none,no     | -        | close every quote",
            })
    void an_unreadable_line_is_rejected_with_its_place_and_a_remedy(String line, String column, String remedy) {
        OrderBook book = parse(HEADER, GOOD, line, "A-9,Bo,express,Mug,1,9.00,EUR,DE,ok,none,no");

        assertThat(book.rejected()).singleElement().satisfies(rejected -> {
            assertThat(rejected.lineNumber()).isEqualTo(3);
            assertThat(rejected.column()).isEqualTo(column);
            assertThat(rejected.toString()).startsWith("test.csv line 3").contains(remedy);
        });
        assertThat(book.orders())
                .extracting(Order::orderId)
                .as("the rest goes on")
                .containsExactly("A-1", "A-9");
    }

    @Test
    void a_line_that_is_not_utf_8_is_rejected_alone() {
        byte[] content = (HEADER + "\n" + GOOD.replace("Ada", "Bj\u00F6rn") + "\n" + GOOD.replace("A-1", "A-2"))
                .getBytes(StandardCharsets.ISO_8859_1);

        OrderBook book = OrderBook.parse("test.csv", content);

        assertThat(book.rejected())
                .singleElement()
                .asString()
                .contains("line 2")
                .contains("UTF-8");
        assertThat(book.orders()).hasSize(1);
    }

    @Test
    void a_byte_order_mark_and_windows_line_ends_do_no_harm() {
        OrderBook book = OrderBook.parse(
                "test.csv", ("\uFEFF" + HEADER + "\r\n" + GOOD + "\r\n").getBytes(StandardCharsets.UTF_8));

        assertThat(book.rejected()).isEmpty();
        assertThat(book.orders()).hasSize(1);
    }

    @Test
    void a_header_without_a_needed_column_refuses_the_whole_book() {
        assertThatThrownBy(() -> parse(HEADER.replace("amount", "price"), GOOD))
                .isInstanceOf(OrderBookException.class)
                .hasMessageContaining("line 1")
                .hasMessageContaining("no column amount");
    }

    @Test
    void an_empty_or_absent_file_is_refused_with_a_remedy() {
        assertThatThrownBy(() -> OrderBook.parse("test.csv", new byte[0])).hasMessageContaining("first line must name");
        assertThatThrownBy(() -> OrderBook.read(Path.of("no-such-orders.csv")))
                .isInstanceOf(OrderBookException.class)
                .hasMessageContaining("no-such-orders.csv")
                .hasMessageContaining("name a readable CSV file");
    }

    private static OrderBook parse(String... lines) {
        return OrderBook.parse(
                "test.csv", String.join("\n", Arrays.asList(lines)).getBytes(StandardCharsets.UTF_8));
    }
}
