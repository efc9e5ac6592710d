package io.sluice.examples;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the demo, from environment variables. All have defaults.
 *
 * @param orders order book to run ({@code SLUICE_DEMO_ORDERS}, a CSV file); null for the shipped one
 * @param ordersPerSecond pace of the start commands ({@code SLUICE_DEMO_ORDERS_PER_SECOND}, 1 to 1000, default 40)
 * @param timeLimit after this the demo says what is stuck and fails ({@code SLUICE_DEMO_TIME_LIMIT_SECONDS}, 10 to
 *     3600, default 150)
 * @param keep whether database and topics stay when they are not embedded ({@code SLUICE_DEMO_KEEP}, true or false,
 *     default false)
 */
record DemoConfig(@Nullable Path orders, int ordersPerSecond, Duration timeLimit, boolean keep) {
    private static final int DEFAULT_PACE = 40;
    private static final int DEFAULT_LIMIT_SECONDS = 150;

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException naming every fault at once
     */
    static DemoConfig from(Map<String, String> environment) {
        List<String> faults = new ArrayList<>();
        String orders = environment.get("SLUICE_DEMO_ORDERS");
        int pace = number(environment, "SLUICE_DEMO_ORDERS_PER_SECOND", 1, 1_000, DEFAULT_PACE, faults);
        int limit = number(environment, "SLUICE_DEMO_TIME_LIMIT_SECONDS", 10, 3_600, DEFAULT_LIMIT_SECONDS, faults);
        String keep = environment.getOrDefault("SLUICE_DEMO_KEEP", "false");
        if (!keep.equals("true") && !keep.equals("false")) {
            faults.add("SLUICE_DEMO_KEEP must be true or false, was " + keep);
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", faults));
        }
        return new DemoConfig(
                orders == null || orders.isBlank() ? null : Path.of(orders),
                pace,
                Duration.ofSeconds(limit),
                keep.equals("true"));
    }

    private static int number(
            Map<String, String> environment,
            String name,
            int least,
            int fallbackMost,
            int fallback,
            List<String> faults) {
        String text = environment.get(name);
        if (text == null || text.isBlank()) {
            return fallback;
        }
        try {
            int value = Integer.parseInt(text.strip());
            if (value >= least && value <= fallbackMost) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Falls through to the fault below, which shows the text.
        }
        faults.add(name + " must be a whole number from " + least + " to " + fallbackMost + ", was " + text);
        return fallback;
    }
}
