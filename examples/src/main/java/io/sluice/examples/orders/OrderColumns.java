package io.sluice.examples.orders;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Currency;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.commons.csv.CSVRecord;

/** Where the columns of one order book are, and how their cells are read. */
final class OrderColumns {
    static final List<String> NAMES = List.of(
            "order_id",
            "customer",
            "type",
            "item",
            "quantity",
            "amount",
            "currency",
            "country",
            "card",
            "approval",
            "cancel");
    private static final int MAX_QUANTITY = 10_000;
    private static final Pattern ORDER_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final Set<String> COUNTRIES = Set.of(Locale.getISOCountries());
    private static final Set<String> CURRENCIES = Currency.getAvailableCurrencies().stream()
            .map(Currency::getCurrencyCode)
            .collect(Collectors.toUnmodifiableSet());

    private final Map<String, Integer> positions;
    private final int width;

    private OrderColumns(Map<String, Integer> positions, int width) {
        this.positions = positions;
        this.width = width;
    }

    static OrderColumns ofHeader(String source, List<String> header) {
        Map<String, Integer> positions = new HashMap<>();
        for (int i = 0; i < header.size(); i++) {
            if (positions.put(header.get(i), i) != null) {
                throw new OrderBookException(
                        source + " line 1: column " + header.get(i) + " is named twice; name each column once");
            }
        }
        List<String> missing =
                NAMES.stream().filter(name -> !positions.containsKey(name)).toList();
        if (!missing.isEmpty()) {
            throw new OrderBookException(source + " line 1: no column " + String.join(", ", missing)
                    + "; the first line must name the columns " + String.join(",", NAMES));
        }
        return new OrderColumns(positions, header.size());
    }

    Order order(CSVRecord record) throws UnreadableCellException {
        if (record.size() != width) {
            throw new UnreadableCellException(
                    "-",
                    "has " + record.size() + " cells where the header has " + width,
                    "add or remove cells; quote a cell that contains a comma");
        }
        Approval approval = word(record, "approval", Approval.class);
        boolean cancel = yesOrNo(record, "cancel");
        if (cancel != (approval == Approval.PENDING)) {
            throw new UnreadableCellException(
                    "cancel",
                    "\"" + cell(record, "cancel") + "\" does not go with approval \"" + cell(record, "approval") + "\"",
                    "an order is cancelled while its approval is pending: use pending with yes, anything else with no");
        }
        return new Order(
                matching(record, "order_id", ORDER_ID),
                text(record, "customer"),
                word(record, "type", OrderType.class),
                text(record, "item"),
                quantity(record),
                amount(record),
                oneOf(record, "currency", CURRENCIES, "use an ISO 4217 code such as EUR"),
                oneOf(record, "country", COUNTRIES, "use an ISO 3166 code of two letters such as SE"),
                word(record, "card", Card.class),
                approval,
                cancel);
    }

    private String cell(CSVRecord record, String column) {
        Integer position = positions.get(column);
        if (position == null) {
            throw new IllegalStateException("no column " + column);
        }
        return record.get(position);
    }

    private String text(CSVRecord record, String column) throws UnreadableCellException {
        String value = cell(record, column);
        if (value.isBlank()) {
            throw new UnreadableCellException(column, "is empty", "fill it in");
        }
        return value;
    }

    private String matching(CSVRecord record, String column, Pattern pattern) throws UnreadableCellException {
        String value = text(record, column);
        if (!pattern.matcher(value).matches()) {
            throw new UnreadableCellException(
                    column,
                    "\"" + value + "\" can't name an order",
                    "use up to 63 letters, digits, dots, dashes and underscores");
        }
        return value;
    }

    private String oneOf(CSVRecord record, String column, Set<String> known, String remedy)
            throws UnreadableCellException {
        String value = text(record, column);
        if (!known.contains(value)) {
            throw new UnreadableCellException(column, "\"" + value + "\" is not known", remedy);
        }
        return value;
    }

    private int quantity(CSVRecord record) throws UnreadableCellException {
        String value = text(record, "quantity");
        String remedy = "write a whole number from 1 to " + MAX_QUANTITY;
        try {
            int quantity = Integer.parseInt(value);
            if (quantity < 1 || quantity > MAX_QUANTITY) {
                throw new UnreadableCellException("quantity", value + " is out of range", remedy);
            }
            return quantity;
        } catch (NumberFormatException e) {
            throw new UnreadableCellException("quantity", "\"" + value + "\" is not a whole number", remedy, e);
        }
    }

    private BigDecimal amount(CSVRecord record) throws UnreadableCellException {
        String value = text(record, "amount");
        String remedy = "write an amount above zero with a decimal point, such as 12.50";
        try {
            BigDecimal amount = new BigDecimal(value);
            if (amount.signum() <= 0) {
                throw new UnreadableCellException("amount", value + " is not above zero", remedy);
            }
            return amount;
        } catch (NumberFormatException e) {
            throw new UnreadableCellException("amount", "\"" + value + "\" is not an amount", remedy, e);
        }
    }

    private boolean yesOrNo(CSVRecord record, String column) throws UnreadableCellException {
        String value = text(record, column);
        if (!value.equals("yes") && !value.equals("no")) {
            throw new UnreadableCellException(column, "\"" + value + "\" is not known", "write yes or no");
        }
        return value.equals("yes");
    }

    private <E extends Enum<E>> E word(CSVRecord record, String column, Class<E> type) throws UnreadableCellException {
        String value = text(record, column);
        for (E constant : type.getEnumConstants()) {
            if (constant.name().toLowerCase(Locale.ROOT).equals(value)) {
                return constant;
            }
        }
        String words = Arrays.stream(type.getEnumConstants())
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        throw new UnreadableCellException(column, "\"" + value + "\" is not known", "write one of " + words);
    }
}
