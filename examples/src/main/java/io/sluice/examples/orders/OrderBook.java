package io.sluice.examples.orders;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * The orders of a CSV file: UTF-8, RFC 4180, one order per line (cells hold no line breaks, so that a broken line can't
 * swallow the next one), the first line naming {@link OrderColumns#NAMES the columns} in any order.
 *
 * @param orders the readable lines, in file order
 * @param rejected the others; none of them may be started
 */
public record OrderBook(List<Order> orders, List<RejectedLine> rejected) {
    private static final String SHIPPED = "orders.csv";
    private static final CSVFormat FORMAT =
            CSVFormat.RFC4180.builder().setTrim(true).get();

    public OrderBook {
        orders = List.copyOf(orders);
        rejected = List.copyOf(rejected);
    }

    /** The order book that comes with the example. */
    public static OrderBook shipped() {
        try (InputStream in =
                Objects.requireNonNull(OrderBook.class.getResourceAsStream("/" + SHIPPED), "orders.csv is missing")) {
            return parse(SHIPPED, in.readAllBytes());
        } catch (IOException e) {
            throw new OrderBookException("the shipped " + SHIPPED + " can't be read; build the module again", e);
        }
    }

    /**
     * Reads an order book from a file.
     *
     * @throws OrderBookException when the file can't be read or its header is not usable
     */
    public static OrderBook read(Path file) {
        try {
            return parse(file.toString(), Files.readAllBytes(file));
        } catch (IOException e) {
            throw new OrderBookException(
                    "the order book " + file + " can't be read (" + e + "); name a readable CSV file", e);
        }
    }

    static OrderBook parse(String source, byte[] content) {
        List<byte[]> lines = splitLines(content);
        if (lines.isEmpty()) {
            throw new OrderBookException(
                    source + " is empty; its first line must name the columns " + String.join(",", OrderColumns.NAMES));
        }
        OrderColumns columns = OrderColumns.ofHeader(source, header(source, lines.get(0)));
        List<Order> orders = new ArrayList<>();
        List<RejectedLine> rejected = new ArrayList<>();
        Map<String, Long> firstLineOfId = new HashMap<>();
        for (int i = 1; i < lines.size(); i++) {
            long lineNumber = i + 1L;
            if (lines.get(i).length == 0) {
                continue;
            }
            try {
                Order order = columns.order(record(lines.get(i)));
                Long earlier = firstLineOfId.putIfAbsent(order.orderId(), lineNumber);
                if (earlier != null) {
                    throw new UnreadableCellException(
                            "order_id",
                            "\"" + order.orderId() + "\" is used by line " + earlier + " already",
                            "give each order an id of its own");
                }
                orders.add(order);
            } catch (UnreadableCellException e) {
                rejected.add(new RejectedLine(source, lineNumber, e.column(), e.problem(), e.remedy()));
            }
        }
        return new OrderBook(orders, rejected);
    }

    private static List<String> header(String source, byte[] line) {
        try {
            List<String> names = record(line).toList();
            String first = names.get(0);
            List<String> clean = new ArrayList<>(names);
            clean.set(0, first.startsWith("\uFEFF") ? first.substring(1) : first);
            return clean;
        } catch (UnreadableCellException e) {
            throw new OrderBookException(source + " line 1: " + e.problem() + "; " + e.remedy(), e);
        }
    }

    private static CSVRecord record(byte[] line) throws UnreadableCellException {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(line))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new UnreadableCellException("-", "the line is not UTF-8", "save the file as UTF-8", e);
        }
        try (CSVParser parser = CSVParser.parse(text, FORMAT)) {
            List<CSVRecord> records = parser.getRecords();
            if (records.isEmpty()) {
                throw new UnreadableCellException("-", "the line is blank", "remove it or fill it in");
            }
            return records.get(0);
        } catch (IOException | RuntimeException e) {
            throw new UnreadableCellException(
                    "-",
                    "the line is not CSV (" + e.getMessage() + ")",
                    "close every quote, double a quote inside a quoted cell",
                    e);
        }
    }

    private static List<byte[]> splitLines(byte[] content) {
        List<byte[]> lines = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= content.length; i++) {
            if (i == content.length && start == i) {
                break;
            }
            if (i == content.length || content[i] == '\n') {
                int end = i > start && content[i - 1] == '\r' ? i - 1 : i;
                lines.add(Arrays.copyOfRange(content, start, end));
                start = i + 1;
            }
        }
        return lines;
    }
}
