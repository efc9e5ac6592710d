package io.sluice.accountkit;

import io.sluice.accountkit.check.split.Split;
import io.sluice.provider.cosmos.Throughput;
import java.time.Duration;
import java.util.Locale;

/**
 * What a run will do, and what that costs at most.
 *
 * @param bought for each of two containers, in request units a second; 0 on a serverless account
 * @param isOwn whether it creates a database of its own
 * @param splitPatience for how long a split is waited for; zero for none
 * @param mergePatience for how long a merge is waited for; zero for none
 */
record Plan(int bought, boolean isOwn, Duration splitPatience, Duration mergePatience) {
    /** Few enough for one physical partition, and enough that what is prepared does not wait. */
    static final int BOUGHT = 4_000;

    static final double MOST_DOLLARS = 10;

    /** The service's list price in the USA for 100 RU/s in one region, an hour. */
    private static final double DOLLARS_OF_HUNDRED = 0.008;

    private static final int HUNDRED = 100;
    private static final int CONTAINERS = 2;
    /** Each hour of the clock that a run touches is charged as a whole: ten minutes may touch two. */
    private static final int HOURS = 2;

    /** What is bought for a container of its own. */
    Throughput throughput() {
        return bought == 0 ? Throughput.NONE : Throughput.manual(bought);
    }

    /** The most that it costs in dollars. */
    double dollars(int regions) {
        double base = CONTAINERS * HOURS * hour(bought);
        double waited = splitPatience.plus(mergePatience).toMinutes() / 60.0;
        double split = splitPatience.isZero() ? 0 : (Math.ceil(waited) + 1) * hour(Split.REQUEST_UNITS);
        return regions * (base + split);
    }

    private static double hour(int requestUnits) {
        return DOLLARS_OF_HUNDRED * requestUnits / HUNDRED;
    }

    /** What is said before anything is created. */
    String text(String database, int regions) {
        StringBuilder text = new StringBuilder();
        if (isOwn) {
            text.append("Creates the database ").append(database).append(" with two containers");
            text.append(bought == 0 ? "" : " of %d RU/s each".formatted(bought));
        } else {
            text.append("Writes to two containers of the database ").append(database);
        }
        text.append(splitPatience.isZero() ? "" : splitText());
        text.append(mergePatience.isZero() ? "" : mergeText(database));
        text.append(
                isOwn ? ".\nRemoves the database at its end, also when it fails or is ended." : ", and leaves them.");
        text.append("\nTakes about ten minutes").append(splitPatience.isZero() ? ". " : ", and what the split takes. ");
        return text.append(costs(regions)).append('\n').toString();
    }

    private String costs(int regions) {
        if (!isOwn) {
            return "Costs what the containers cost by themselves.";
        }
        return bought == 0
                ? "A serverless account charges what is used: less than 1 $."
                : String.format(
                        Locale.ROOT,
                        "Costs at most %.2f $: list prices in the USA, %d region(s), whole hours of the clock.",
                        dollars(regions),
                        regions);
    }

    private String splitText() {
        return ", and a third one that is raised to " + Split.REQUEST_UNITS + " RU/s until it has split, for "
                + splitPatience.toMinutes() + " min at most";
    }

    private String mergeText(String database) {
        return "; then waits " + mergePatience.toMinutes() + " min for you to merge it:\n  az cosmosdb sql container"
                + " merge -g <group> -a <account> -d " + database + " -n " + Split.CONTAINER + "\n";
    }
}
