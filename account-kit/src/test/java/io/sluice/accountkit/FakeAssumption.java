package io.sluice.accountkit;

import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Site;
import java.time.Duration;

/** An assumption whose measurement a test decides on. */
record FakeAssumption(String name, Work work) implements Assumption {
    private static final Duration LIMIT = Duration.ofSeconds(1);

    interface Work {
        Outcome run() throws InterruptedException;
    }

    @Override
    public String expected() {
        return "anything";
    }

    @Override
    public String source() {
        return "a test";
    }

    @Override
    public Duration limit() {
        return LIMIT;
    }

    @Override
    public Outcome run(Site site) throws InterruptedException {
        return work.run();
    }
}
