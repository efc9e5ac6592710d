package io.sluice.provider.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.provider.contract.Covers;
import io.sluice.provider.world.FaultPlan.AtRisk;
import io.sluice.provider.world.site.Fault;
import io.sluice.provider.world.site.Site;
import io.sluice.provider.world.site.Sites;
import io.sluice.testkit.seed.Tier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every story is played once without harm, then once for every request in it and every fault: all that must hold in a
 * world holds, its end is the same each time, and no caller hears of a fault that passed. In the first tier each fault
 * meets every so many requests, and each fault others; of refusals a kind of requests meets every third.
 * {@code -Dcrash.strike} plays a single one and tells all that happens.
 */
@Covers({"wire 17", "wire 27", "wire 32", "wire 33", "spec/003 race 1", "spec/003 race 3"})
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@ExtendWith(MutedClocks.class)
@Order(1)
class CrashEnumerationIT {
    private static final Logger LOG = LoggerFactory.getLogger(CrashEnumerationIT.class);
    private static final String SINGLE = System.getProperty("crash.strike");
    /** Each alone; and those that leave a write in doubt, its sender held up before it looks what became of it. */
    private static final List<List<Fault>> FAULTS = Arrays.stream(Fault.values())
            .filter(fault -> fault != Fault.NONE)
            .flatMap(fault -> Stream.concat(
                    Stream.of(List.of(fault)),
                    Stream.of(Fault.DROPPED, Fault.ANSWER_LOST)
                            .filter(doubt -> fault.isHoldUp())
                            .map(doubt -> List.of(doubt, fault))))
            .toList();

    /** In which each fault meets every kind of request, also in the first tier: together they have all kinds. */
    private static final Set<Story> WITH_EACH_KIND = EnumSet.of(Story.ORDER, Story.BIG_TURNS);

    private static final int SHOWN = 3;
    private static final int AT_A_TIME = 4;
    /** Each fault meets every so many requests. */
    private static final int EVERY = Integer.getInteger("crash.every", Tier.times(16, 1));
    /** The same where work is announced. */
    private static final int EVERY_ANNOUNCED = Integer.getInteger("crash.announced.every", Tier.times(32, 8));

    @ParameterizedTest
    @EnumSource
    void ends_the_same_whatever_befalls_one_request(Story story) throws Exception {
        strikeAll(story, false, EVERY, WITH_EACH_KIND.contains(story) ? request -> request : request -> true);
    }

    /** Those that differ most by how work is found come first. */
    static Stream<Story> announcedStories() {
        return Stream.of(Story.ORDER, Story.BIG_TURNS, Story.ORDER_BY_RELAY, Story.UNIQUE_START, Story.REMOVAL)
                .limit(Tier.times(2, Story.values().length));
    }

    @ParameterizedTest
    @MethodSource("announcedStories")
    void ends_the_same_where_work_is_announced(Story story) throws Exception {
        strikeAll(story, true, EVERY_ANNOUNCED, request -> true);
    }

    private static void strikeAll(Story story, boolean isAnnounced, int every, Function<AtRisk, Object> likeness)
            throws Exception {
        assumeTrue(SINGLE == null || StoryFaults.parse(SINGLE).story() == story);
        Outcome told;
        try (var site = new Site(Story.PROCESSES)) {
            told = World.play(site, new Settings(StoryFaults.none(story), isAnnounced));
        }
        assertThat(told.violations()).as("%s without a fault", story).isEmpty();
        var strikes =
                SINGLE == null ? strikes(story, told.atRisk(), every, likeness) : List.of(StoryFaults.parse(SINGLE));

        var found = Sites.play(
                AT_A_TIME, Story.PROCESSES, strikes, (site, strike) -> judged(site, strike, isAnnounced, told.left()));

        var violated = found.stream().flatMap(List::stream).toList();
        LOG.atWarn()
                .addKeyValue("story", story)
                .addKeyValue("announced", isAnnounced)
                .addKeyValue("combinations", strikes.size())
                .addKeyValue("violated", violated.size())
                .log("requests met faults");
        assertThat(violated.stream().limit(SHOWN)).isEmpty();
        assertThat(strikes).hasSizeGreaterThan(FAULTS.size() * 5 / every - 1);
    }

    /** Each fault meets every so many of the requests that are alike, and one of them at least when it is its turn. */
    private static List<StoryFaults> strikes(
            Story story, List<AtRisk> requests, int every, Function<AtRisk, Object> likeness) {
        var kinds = requests.stream().map(likeness).distinct().toList();
        return FAULTS.stream()
                .flatMap(faults -> IntStream.range(0, requests.size())
                        .filter(i -> requests.get(i).canMeet(faults))
                        .boxed()
                        .collect(Collectors.groupingBy(i -> likeness.apply(requests.get(i))))
                        .entrySet()
                        .stream()
                        .filter(alike -> isTurnOf(faults, kinds.indexOf(alike.getKey()) + story.ordinal(), every))
                        .map(Map.Entry::getValue)
                        .flatMap(alike -> chosen(faults, alike.size(), every)
                                .mapToObj(i -> new StoryFaults(story, faults, alike.get(i) + 1))))
                .toList();
    }

    /** Faults that a process takes alike meet a kind of requests by turns, unless all meet all. */
    private static boolean isTurnOf(List<Fault> faults, int kind, int every) {
        int turns = every == 1 ? 1 : faults.size() > 1 ? 2 : faults.get(0).isRefusal() ? 3 : 1;
        return (FAULTS.indexOf(faults) + kind) % turns == 0;
    }

    /** Of those that are alike; a fault of locks meets more of them, and each begins with another one. */
    private static IntStream chosen(List<Fault> faults, int count, int every) {
        int step = faults.size() == 1 && faults.get(0).isOfLocks() ? Math.max(1, every / 2) : every;
        return IntStream.iterate(FAULTS.indexOf(faults) % Math.min(step, count), i -> i < count, i -> i + step);
    }

    /** What is to be told of it: nothing when all is well. */
    private static List<String> judged(Site site, StoryFaults strike, boolean isAnnounced, List<String> expected) {
        var outcome = World.play(site, new Settings(strike, isAnnounced));
        if (SINGLE != null) {
            outcome.trace().lines().forEach(line -> LOG.atWarn().log(line));
        }
        var more = without(outcome.left(), expected);
        var less = without(expected, outcome.left());
        if (strike.faults().contains(Fault.LATE)) {
            // A staged part of a turn that is over. Nothing refers to the part, and who knows the instance looks for
            // none.
            more.removeIf(line -> line.startsWith("type=staged"));
        }
        return outcome.violations().isEmpty() && more.isEmpty() && less.isEmpty()
                ? List.of()
                : List.of("left over " + more + ", lacking " + less + "; "
                        + outcome.describe("CrashEnumerationIT -Dcrash.strike=" + strike));
    }

    private static List<String> without(List<String> all, List<String> others) {
        var left = new ArrayList<>(all);
        others.forEach(left::remove);
        return left;
    }
}
