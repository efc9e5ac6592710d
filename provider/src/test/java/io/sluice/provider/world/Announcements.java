package io.sluice.provider.world;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.feed.AnnouncementFault;
import io.sluice.provider.feed.ChangeFeedAnnouncer;
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
    private final AnnouncementFault planted;
    private boolean isCalm;

    Announcements(Site site, SplittableRandom random, PlantedBug bug) {
        this.time = site.time();
        this.announcer = ChangeFeedAnnouncer.byHand(site.queueChanges(), time);
        this.random = random;
        this.planted = planted(bug, random.nextLong());
        announcer.strike(fault(random.nextInt(6), random.nextLong()).and(planted));
    }

    private static AnnouncementFault fault(int choice, long seed) {
        return switch (choice) {
            case 0 -> AnnouncementFault.repeating(seed, 2);
            case 1 -> AnnouncementFault.late(seed);
            case 2 -> AnnouncementFault.reordering(seed);
            case 3 -> AnnouncementFault.lying(seed);
            case 4 ->
                AnnouncementFault.lying(seed)
                        .and(AnnouncementFault.repeating(seed, 2))
                        .and(AnnouncementFault.late(seed));
            default -> AnnouncementFault.NONE;
        };
    }

    private AnnouncementFault planted(PlantedBug bug, long seed) {
        return switch (bug) {
            case ANNOUNCER_FORGETS -> AnnouncementFault.losing(seed, FORGOTTEN);
            case TIMERS_UNANNOUNCED -> AnnouncementFault.withoutTimers(time);
            default -> AnnouncementFault.NONE;
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
