package io.sluice.provider.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.cosmos.SteppedClock;
import io.sluice.provider.feed.ChangeFeedAnnouncer;
import io.sluice.testkit.seed.Tier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every story is played once without harm, then once for every request in it and every blow: its end is the same each
 * time, no caller hears of a fault that passed, and nothing is left that waits, is locked or staged. In the first tier
 * each blow meets every so many requests, and each blow others.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CrashEnumerationIT {
    private static final Logger LOG = LoggerFactory.getLogger(CrashEnumerationIT.class);
    private static final String CONTAINER = "enumeration";
    private static final int MOST_REQUESTS = 400;
    private static final int SHOWN = 10;
    private static final int AT_A_TIME = 4;
    /** Each blow meets every so many requests, and each blow others. */
    private static final int EVERY = Integer.getInteger("crash.every", Tier.times(6, 1));
    /** The same where work is announced. */
    private static final int EVERY_ANNOUNCED = Integer.getInteger("crash.announced.every", Tier.times(24, 8));

    private static final Map<String, Function<String, Story>> STORIES = Map.of(
            "an order",
            run -> new OrderStory(run, true),
            "an order by the relay",
            run -> new OrderStory(run, false),
            "a turn of several batches",
            BigTurnStory::new,
            "a unique start",
            StartStory::new,
            "pruning and deletion",
            RemovalStory::new);

    static Set<String> stories() {
        return STORIES.keySet();
    }

    /** What one blow came to, at each request of a story. */
    private record Found(int combinations, List<String> violations) {}

    @ParameterizedTest
    @MethodSource("stories")
    void ends_the_same_whatever_befalls_one_request(String name) throws Exception {
        strikeAll(name, false);
    }

    /** Those that differ most by how work is found come first. */
    static Stream<String> announcedStories() {
        return Stream.of(
                        "an order",
                        "a turn of several batches",
                        "an order by the relay",
                        "a unique start",
                        "pruning and deletion")
                .limit(Tier.times(2, STORIES.size()));
    }

    @ParameterizedTest
    @MethodSource("announcedStories")
    void ends_the_same_where_work_is_announced(String name) throws Exception {
        strikeAll(name, true);
    }

    private static void strikeAll(String name, boolean isAnnounced) throws Exception {
        var story = Optional.ofNullable(STORIES.get(name)).orElseThrow();
        var violations = new ArrayList<String>();
        int combinations = 0;
        // Much of the time is spent on pauses between tries.
        var pool = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            var blows = new ConcurrentLinkedQueue<>(List.of(Blow.values()));
            var sites = Collections.nCopies(AT_A_TIME, (Callable<Found>) () -> strikeWith(blows, story, isAnnounced));
            for (var found : pool.invokeAll(sites)) {
                combinations += found.get().combinations();
                violations.addAll(found.get().violations());
            }
        } finally {
            pool.shutdownNow();
        }
        LOG.atWarn()
                .addKeyValue("story", name)
                .addKeyValue("announced", isAnnounced)
                .addKeyValue("combinations", combinations)
                .addKeyValue("violations", violations.size())
                .log("requests met blows");
        assertThat(violations).isEmpty();
        assertThat(combinations).isGreaterThan(Blow.values().length * 5 / step(isAnnounced));
    }

    private static int step(boolean isAnnounced) {
        return isAnnounced ? EVERY_ANNOUNCED : EVERY;
    }

    /** Strikes with one blow after the other, as long as there are any. */
    private static Found strikeWith(Queue<Blow> blows, Function<String, Story> story, boolean isAnnounced) {
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(1));
                var store = store(emulator)) {
            var stage = new Stage(emulator, store, story, isAnnounced);
            var told = stage.play(Blow.DROPPED, Integer.MAX_VALUE);
            var violations = new ArrayList<>(told.violations());
            int combinations = 0;
            for (var blow = blows.poll(); blow != null; blow = blows.poll()) {
                var found = strikeEach(stage, told, blow, step(isAnnounced));
                combinations += found.combinations();
                violations.addAll(found.violations());
            }
            return new Found(combinations, violations);
        }
    }

    private static Found strikeEach(Stage stage, Played told, Blow blow, int step) {
        var violations = new ArrayList<String>();
        int combinations = 0;
        for (int nth = first(blow, step); nth < MOST_REQUESTS && violations.size() < SHOWN; nth += step) {
            var played = stage.play(blow, nth);
            if (!played.isStruck()) {
                return new Found(combinations, violations);
            }
            combinations++;
            violations.addAll(played.against(told));
        }
        violations.add("the story has no end, or too many violations");
        return new Found(0, violations);
    }

    /** The blows begin as far apart as the step allows. */
    private static int first(Blow blow, int step) {
        var blows = List.of(Blow.values());
        int apart = Math.max(1, step / blows.size());
        return 1 + (blows.indexOf(blow) * apart) % step;
    }

    private static CosmosStore store(CosmosEmulator emulator) {
        var config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "crash", CONTAINER);
        CosmosStore.provision(config);
        return CosmosStore.open(config);
    }

    /** Where stories are played, each time under names of its own. */
    private static final class Stage {
        private final CosmosEmulator emulator;
        private final CosmosStore store;
        private final Function<String, Story> stories;
        private final SteppedClock clock;
        private final @Nullable ChangeFeedAnnouncer announcer;
        private int runs;

        private Stage(
                CosmosEmulator emulator, CosmosStore store, Function<String, Story> stories, boolean isAnnounced) {
            this.emulator = emulator;
            this.store = store;
            this.stories = stories;
            this.clock = new SteppedClock(store.clock());
            this.announcer = isAnnounced ? ChangeFeedAnnouncer.of(store.container(), clock) : null;
        }

        private Played play(Blow blow, int nth) {
            var run = "run" + ++runs + "-";
            var story = stories.apply(run);
            var contents = new Contents(store);
            try (var strike = new Strike(emulator, CONTAINER, blow, nth)) {
                var actor = new Actor(store, clock, announcer, strike, story);
                story.play(actor, contents);
                actor.end();
                var left = story.instances().stream()
                        .flatMap(instance -> contents.of(instance, run).stream())
                        .toList();
                return new Played(strike.toString(), strike.struck() != null, left, actor.complaints());
            }
        }
    }

    /** How it ended. */
    private record Played(String blow, boolean isStruck, List<String> left, List<String> violations) {
        List<String> against(Played told) {
            var found = new ArrayList<String>();
            violations.forEach(violation -> found.add(blow + ": " + violation));
            if (!left.equals(told.left())) {
                var more = new ArrayList<>(left);
                told.left().forEach(more::remove);
                var less = new ArrayList<>(told.left());
                left.forEach(less::remove);
                found.add(blow + ": left over " + more + ", lacking " + less);
            }
            return found;
        }
    }
}
