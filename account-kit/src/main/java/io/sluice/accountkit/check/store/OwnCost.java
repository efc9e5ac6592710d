package io.sluice.accountkit.check.store;

import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.check.Figures;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Feed;
import io.sluice.accountkit.site.Site;
import java.time.Duration;

/**
 * What something costs that a runtime does, by the provider's own count.
 *
 * @param name what it does
 * @param published by our page, of one physical partition
 * @param mostRequests some more, where what a query found is tried again before the next one
 * @param before prepares what is not counted
 * @param counted does it
 */
public record OwnCost(String name, Cost published, int mostRequests, Step before, Step counted) implements Assumption {
    /** A part of it. */
    interface Step {
        void take(Runtimes runtimes) throws InterruptedException;
    }

    private static final int FAN_OUT = 20;
    private static final int MESSAGES = 250;

    /** A start, a turn, an activity, a turn that completes. */
    public static OwnCost ofHello() {
        return new OwnCost(
                "hello: start, one activity, completion",
                new Cost(10, 125.7),
                10,
                runtimes -> runtimes.play("hello-before", 1, true),
                runtimes -> runtimes.play("hello", 1, true));
    }

    /** Twenty activities at once. */
    public static OwnCost ofFanOut() {
        return new OwnCost(
                "fan-out of " + FAN_OUT,
                new Cost(50, 904.6),
                54,
                runtimes -> runtimes.play("fan-out-before", 1, false),
                runtimes -> runtimes.play("fan-out", FAN_OUT, false));
    }

    /** A queue of one instance. */
    public static OwnCost ofDrain() {
        return new OwnCost(
                "drain of " + MESSAGES + " messages of one instance",
                new Cost(15, 3896.3),
                19,
                runtimes -> {
                    runtimes.play("drain-before", 1, true);
                    runtimes.start("drain");
                    runtimes.raise("drain", MESSAGES - 1);
                },
                runtimes -> {
                    int messages = runtimes.drain();
                    if (messages != MESSAGES) {
                        throw new IllegalStateException(messages + " messages came of " + MESSAGES);
                    }
                });
    }

    @Override
    public Duration limit() {
        return Duration.ofMinutes(5);
    }

    @Override
    public String expected() {
        return published + ", at most " + mostRequests + " requests, RU within a fifth";
    }

    @Override
    public String source() {
        return "docs/performance.md, what operations cost";
    }

    @Override
    public Outcome run(Site site) throws InterruptedException {
        int partitions = new Feed(site.storeContainer().container()).partitions();
        if (partitions != 1) {
            return Outcome.notTried(
                    "the published figure is of one physical partition, the container has " + partitions);
        }
        try (Runtimes runtimes = new Runtimes(site.store())) {
            before.take(runtimes);
            Cost begin = runtimes.cost();
            counted.take(runtimes);
            Cost measured = runtimes.cost().since(begin);
            return Outcome.of(
                    measured.requests() <= mostRequests && Figures.isWithinAFifth(measured.units(), published.units()),
                    measured.toString());
        }
    }
}
