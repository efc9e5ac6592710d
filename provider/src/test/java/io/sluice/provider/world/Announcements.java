package io.sluice.provider.world;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.feed.ChangeFeedAnnouncer;
import io.sluice.provider.feed.Trouble;
import io.sluice.provider.world.site.Site;
import io.sluice.provider.world.site.VirtualTime;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** The announcer of a world. What becomes of its announcements, the seed decides. Used by one thread at a time. */
final class Announcements {
    private static final Duration COMPLETIONS_WITHIN = Duration.ofMillis(50);

    private static final int FORGOTTEN = 4;
    private static final int ROUNDS_OF_LATE_ONES = 20;

    private final VirtualTime time;
    private final ChangeFeedAnnouncer announcer;
    private final SplittableRandom random;
    private final Trouble planted;
    private boolean isCalm;

    Announcements(Site site, SplittableRandom random, PlantedBug bug) {
        this.time = site.time();
        this.announcer = ChangeFeedAnnouncer.byHand(site.queueChanges(), time);
        this.random = random;
        this.planted = planted(bug, random.nextLong());
        announcer.strike(trouble(random.nextInt(6), random.nextLong()).and(planted));
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

    private Trouble planted(PlantedBug bug, long seed) {
        return switch (bug) {
            case ANNOUNCER_FORGETS -> Trouble.losing(seed, FORGOTTEN);
            case TIMERS_UNANNOUNCED -> Trouble.withoutTimers(time);
            default -> Trouble.NONE;
        };
    }

    /** The feed of a process that is born. */
    WorkFeed join() {
        return announcer.join(COMPLETIONS_WITHIN);
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

    /** See {@link ChangeFeedAnnouncer#untilDelivered}. */
    <T> Optional<T> untilDelivered(Supplier<Optional<T>> fetch) {
        return announcer.untilDelivered(fetch);
    }

    /** From now on nothing goes wrong; what is late arrives. */
    void calm() {
        isCalm = true;
        for (int i = 0; i < ROUNDS_OF_LATE_ONES; i++) {
            announcer.catchUp();
        }
        announcer.strike(planted);
        announcer.setHealthy(true);
    }
}
