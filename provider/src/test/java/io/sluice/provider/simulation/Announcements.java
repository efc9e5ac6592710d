package io.sluice.provider.simulation;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.feed.ChangeFeedAnnouncer;
import io.sluice.provider.feed.Trouble;
import java.time.Duration;
import java.util.SplittableRandom;

/** The announcer of a world. What becomes of its announcements, the seed decides. Used by one thread at a time. */
final class Announcements {
    private static final Duration COMPLETIONS_WITHIN = Duration.ofMillis(50);

    private final ChangeFeedAnnouncer announcer;
    private final SplittableRandom random;
    private boolean isCalm;

    Announcements(Site site, SplittableRandom random) {
        this.announcer = new ChangeFeedAnnouncer(site.queueChanges(), site.time());
        this.random = random;
        announcer.strike(trouble(random.nextInt(6), random.nextLong()));
    }

    private static Trouble trouble(int choice, long seed) {
        return switch (choice) {
            case 0 -> Trouble.repeating(seed, 2);
            case 1 -> Trouble.late(seed);
            case 2 -> Trouble.reordering(seed);
            case 3 -> Trouble.lying(seed);
            case 4 -> Trouble.lying(seed).and(Trouble.repeating(seed, 2)).and(Trouble.late(seed));
            default -> Trouble.NONE;
        };
    }

    /** The feed of a process that is born. */
    WorkFeed join() {
        // Which activity comes to a worker that waits is a matter of real time.
        return announcer.joinWithoutActivities(COMPLETIONS_WITHIN);
    }

    /** Before a process fetches: mostly everything is announced, sometimes the feed is away for a while. */
    void beforeFetch() {
        if (!isCalm && random.nextInt(40) == 0) {
            announcer.setHealthy(!announcer.isHealthy());
        }
        if (isCalm || random.nextInt(4) > 0) {
            announcer.catchUp();
        }
    }

    /** From now on nothing goes wrong. */
    void calm() {
        isCalm = true;
        announcer.strike(Trouble.NONE);
        announcer.setHealthy(true);
    }
}
