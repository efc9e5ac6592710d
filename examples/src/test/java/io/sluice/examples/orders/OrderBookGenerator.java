package io.sluice.examples.orders;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** Writes the order book that ships with the example: always the same one, from a fixed seed. */
final class OrderBookGenerator {
    static final int ORDERS = 520;
    private static final long SEED = 20_260_101L;
    private static final List<String> NAMES = List.of(
            "Ada Okafor",
            "Björn Lindqvist",
            "Chiara Rossi",
            "Dmitri Volkov",
            "Elif Yılmaz",
            "Fatou Diop",
            "Grace O'Neill",
            "Hiro Tanaka",
            "Inês Carvalho",
            "Jonas Weiß",
            "Kavya Rao",
            "Łucja Nowak",
            "Mei Chen",
            "Núria Puig",
            "Oskar \"Ossi\" Virtanen",
            "Priya Nair");
    private static final List<String> COUNTRIES = List.of("SE,SEK", "DE,EUR", "IT,EUR", "PL,PLN", "GB,GBP", "US,USD");
    private static final List<Item> ITEMS = List.of(
            new Item("Espresso machine, red", 24_900),
            new Item("Bean grinder", 8_950),
            new Item("Moka pot 6\"", 3_400),
            new Item("Café crème cups, set of 6", 4_275),
            new Item("Filter papers", 599),
            new Item("Kettle", 5_900),
            new Item("House blend 1 kg", 1_890),
            new Item("Milk jug", 1_450));

    private record Item(String name, int cents) {}

    private OrderBookGenerator() {}

    /** Rewrites the file given as the only argument. */
    public static void main(String[] arguments) throws IOException {
        Files.writeString(Path.of(arguments[0]), generate());
    }

    static String generate() {
        SplittableRandom random = new SplittableRandom(SEED);
        StringBuilder csv = new StringBuilder(String.join(",", OrderColumns.NAMES)).append('\n');
        for (int i = 0; i < ORDERS; i++) {
            csv.append(line(10_001 + i, random)).append('\n');
        }
        return csv.toString();
    }

    private static String line(int number, SplittableRandom random) {
        OrderType type = type(random.nextInt(100));
        Item item = type == OrderType.GIFTCARD ? new Item("Gift card", 5_000) : pick(ITEMS, random);
        int quantity = type == OrderType.WHOLESALE ? random.nextInt(20, 200) : random.nextInt(1, 5);
        Approval approval = approval(type, random.nextInt(100));
        return String.join(
                ",",
                "A-" + number,
                quoted(pick(NAMES, random)),
                type.word(),
                quoted(item.name()),
                Integer.toString(quantity),
                BigDecimal.valueOf((long) item.cents() * quantity, 2).toPlainString(),
                swapped(pick(COUNTRIES, random)),
                card(random.nextInt(100)),
                approval.name().toLowerCase(Locale.ROOT),
                approval == Approval.PENDING ? "yes" : "no");
    }

    private static OrderType type(int percent) {
        if (percent < 45) {
            return OrderType.STANDARD;
        }
        if (percent < 65) {
            return OrderType.EXPRESS;
        }
        if (percent < 77) {
            return OrderType.BACKORDER;
        }
        return percent < 89 ? OrderType.GIFTCARD : OrderType.WHOLESALE;
    }

    private static Approval approval(OrderType type, int percent) {
        if (type == OrderType.WHOLESALE) {
            return percent < 65 ? Approval.GRANTED : percent < 82 ? Approval.DENIED : Approval.PENDING;
        }
        return percent < 2 ? Approval.GRANTED : percent < 4 ? Approval.PENDING : Approval.NONE;
    }

    private static String card(int percent) {
        return percent < 82 ? "ok" : percent < 93 ? "flaky" : "declined";
    }

    private static String swapped(String countryAndCurrency) {
        String[] parts = countryAndCurrency.split(",", -1);
        return parts[1] + "," + parts[0];
    }

    private static String quoted(String cell) {
        return cell.contains(",") || cell.contains("\"") ? "\"" + cell.replace("\"", "\"\"") + "\"" : cell;
    }

    private static <T> T pick(List<T> list, SplittableRandom random) {
        return list.get(random.nextInt(list.size()));
    }
}
