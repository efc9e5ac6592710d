package io.sluice.relay.soak;

import java.time.Duration;
import java.util.Random;

/**
 * What a run does.
 *
 * @param seed of when is killed whom
 * @param load how long orders are given
 * @param ordersPerMinute given at a steady rate
 * @param mostInFlight orders that may be unfinished before the next one waits
 * @param betweenKills mean time; relays and runtimes die in turns
 * @param keep how long a finished order stays before it is deleted
 * @param pace of what is measured
 * @param dispatched whether relays announce work in Kafka and runtimes read that, instead of querying the store
 */
record SoakPlan(
        long seed,
        Duration load,
        int ordersPerMinute,
        int mostInFlight,
        Duration betweenKills,
        Duration keep,
        Watch.Pace pace,
        boolean dispatched) {

    /** The settings of {@code -Dsoak.<name>}, those of the long run by default. */
    static SoakPlan fromProperties() {
        return new SoakPlan(
                Long.getLong("soak.seed", new Random().nextInt(1_000_000)),
                Duration.ofSeconds((long) (60 * Double.parseDouble(setting("soak.minutes", "30")))),
                Integer.getInteger("soak.ordersPerMinute", 30),
                Integer.getInteger("soak.mostInFlight", 200),
                Duration.ofSeconds(Integer.getInteger("soak.killSeconds", 20)),
                Duration.ofSeconds(15),
                new Watch.Pace(Duration.ofSeconds(5), Duration.ofSeconds(30)),
                Boolean.parseBoolean(setting("soak.dispatched", "true")));
    }

    private static String setting(String name, String otherwise) {
        var text = System.getProperty(name, "");
        return text.isBlank() ? otherwise : text;
    }
}
