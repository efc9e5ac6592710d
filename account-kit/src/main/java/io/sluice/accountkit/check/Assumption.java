package io.sluice.accountkit.check;

import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Site;
import java.time.Duration;

/** Something that we take for granted of the service, and a measurement that says whether it is so. */
public interface Assumption {
    /** A few words that no other assumption has as its name. */
    String name();

    /** What is assumed, with figures where there are any. */
    String expected();

    /** Where that comes from: a page of ours, or a public one. */
    String source();

    /** After how long the measurement is given up. */
    default Duration limit() {
        return Duration.ofMinutes(2);
    }

    /**
     * Measures, in partitions that no other assumption uses. An exception is as good as an outcome: it becomes one.
     *
     * @throws InterruptedException when it was given up
     */
    Outcome run(Site site) throws InterruptedException;
}
