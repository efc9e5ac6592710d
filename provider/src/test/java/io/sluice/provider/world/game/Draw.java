package io.sluice.provider.world.game;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.SemverRange;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.history.SemanticVersion;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What is drawn for operations. */
final class Draw {
    static final String CHILD = "::sub::";
    static final SemanticVersion OLD = SemanticVersion.parse("0.1.32");
    static final SemanticVersion NEW = SemanticVersion.parse("2.0.0");
    private static final List<String> ROOTS = List.of("a", "b", "ü d");
    private static final List<String> KEYS = List.of("k0", "k1", "k2", "a key/ö");
    private static final List<String> SESSIONS = List.of("s0", "s1");
    private static final List<String> TAGS = List.of("gpu", "slow");
    private static final int[] LOCK_SECONDS = {2, 10, 40};
    private static final int[] PAUSE_MILLIS = {100, 500, 1_000, 3_000, 6_000, 11_000, 45_000};

    private Draw() {}

    static boolean oneIn(int many, SplittableRandom random) {
        return random.nextInt(many) == 0;
    }

    static <T> T of(List<T> all, SplittableRandom random) {
        return all.get(random.nextInt(all.size()));
    }

    /** A root, or now and then a child of one. */
    static String instance(SplittableRandom random) {
        var root = of(ROOTS, random);
        return oneIn(4, random) ? child(root, random) : root;
    }

    static String root(SplittableRandom random) {
        return of(ROOTS, random);
    }

    static String child(String parent, SplittableRandom random) {
        return parent + CHILD + (1 + random.nextInt(2));
    }

    /** Mostly the last one, now and then an old one. */
    static <T> T recent(List<T> all, SplittableRandom random) {
        return oneIn(3, random) ? of(all, random) : all.get(all.size() - 1);
    }

    static String key(SplittableRandom random) {
        return of(KEYS, random);
    }

    static List<String> keys() {
        return KEYS;
    }

    static @Nullable String session(SplittableRandom random) {
        return oneIn(3, random) ? of(SESSIONS, random) : null;
    }

    static @Nullable String tag(SplittableRandom random) {
        return oneIn(4, random) ? of(TAGS, random) : null;
    }

    static Duration lock(SplittableRandom random) {
        return Duration.ofSeconds(LOCK_SECONDS[random.nextInt(LOCK_SECONDS.length)]);
    }

    static Duration pause(SplittableRandom random) {
        return Duration.ofMillis(PAUSE_MILLIS[random.nextInt(PAUSE_MILLIS.length)]);
    }

    static @Nullable Duration delay(SplittableRandom random) {
        return random.nextBoolean() ? null : pause(random);
    }

    static @Nullable DispatcherCapabilityFilter filter(SplittableRandom random) {
        return switch (random.nextInt(10)) {
            case 0 -> versions("0.0.0", "0.9.9");
            case 1 -> versions("1.0.0", "3.0.0");
            case 2 -> new DispatcherCapabilityFilter(List.of());
            default -> null;
        };
    }

    private static DispatcherCapabilityFilter versions(String min, String max) {
        return new DispatcherCapabilityFilter(
                List.of(new SemverRange(SemanticVersion.parse(min), SemanticVersion.parse(max))));
    }

    static @Nullable SessionFetchConfig owner(SplittableRandom random) {
        return oneIn(3, random) ? null : new SessionFetchConfig("owner" + random.nextInt(2), lock(random));
    }

    static TagFilter tags(SplittableRandom random) {
        return switch (random.nextInt(8)) {
            case 0 -> TagFilter.tags(Set.of("gpu"));
            case 1 -> TagFilter.defaultAnd(Set.of("gpu", "slow"));
            case 2 -> TagFilter.none();
            case 3, 4 -> TagFilter.defaultOnly();
            default -> TagFilter.any();
        };
    }
}
