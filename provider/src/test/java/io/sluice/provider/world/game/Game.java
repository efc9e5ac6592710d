package io.sluice.provider.world.game;

import io.sluice.provider.world.game.Compared.Tested;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Plays a sequence of operations on both stores, looks at all there is to see, and then takes out what is left in the
 * queues. Used once.
 */
final class Game {
    /** Moments are told apart, and what one operation queues comes before what the next one does. */
    private static final Duration BETWEEN = Duration.ofMillis(200);

    private static final Duration LONGER_THAN_ANY_LOCK = Duration.ofMinutes(5);

    private final Compared both;
    private final Fetches fetches;
    private final MessageMoves messages;
    private final TurnMoves turns;
    private final ActivityMoves activities;
    private final LookMoves looks;
    private final RemovalMoves removals;

    /**
     * One operation. What it is about follows from its own seed and from what there is, so it means something wherever
     * it stands: sequences can be shortened.
     */
    record Step(Move move, long seed) {
        static List<Step> drawn(long seed, int count) {
            var random = new SplittableRandom(seed);
            return IntStream.range(0, count)
                    .mapToObj(i -> new Step(Move.drawn(random), random.nextLong()))
                    .toList();
        }
    }

    /**
     * What came of it.
     *
     * @param difference null when there is none
     * @param found fetches that gave something
     * @param late those of them that gave it only when time had passed
     */
    record Result(@Nullable String difference, List<String> trace, int found, int late) {}

    private Game(Tested tested) {
        this.both = new Compared(tested);
        this.fetches = new Fetches(both);
        this.messages = new MessageMoves(both);
        this.turns = new TurnMoves(both, fetches);
        this.activities = new ActivityMoves(both, fetches);
        this.looks = new LookMoves(both);
        this.removals = new RemovalMoves(both);
    }

    static Result play(Tested tested, List<Step> steps) {
        var game = new Game(tested);
        String difference = null;
        try {
            for (var step : steps) {
                game.both.pass(BETWEEN);
                step.move().play(game, new SplittableRandom(step.seed()));
            }
            game.end();
        } catch (Difference e) {
            difference = e.getMessage();
        }
        return new Result(difference, game.both.trace(), game.fetches.found(), game.fetches.late());
    }

    /**
     * The least that still fails: leaves out ever smaller runs of operations, as long as there is a difference without
     * them.
     *
     * @param fails whether a sequence does
     */
    static List<Step> shortened(List<Step> steps, Predicate<List<Step>> fails) {
        var least = steps;
        for (int length = Math.max(1, steps.size() / 2); length > 0; length /= 2) {
            for (int from = 0; from < least.size(); ) {
                var without = new ArrayList<>(least);
                without.subList(from, Math.min(without.size(), from + length)).clear();
                if (fails.test(without)) {
                    least = without;
                } else {
                    from += length;
                }
            }
        }
        return least;
    }

    private void end() {
        looks.everything();
        both.pass(LONGER_THAN_ANY_LOCK);
        turns.drain();
        activities.drain();
        looks.leftovers();
    }

    void pass(SplittableRandom random) {
        var time = Draw.pause(random);
        both.pass(time);
        both.note(time.toMillis() + " ms pass");
    }

    MessageMoves messages() {
        return messages;
    }

    TurnMoves turns() {
        return turns;
    }

    ActivityMoves activities() {
        return activities;
    }

    LookMoves looks() {
        return looks;
    }

    RemovalMoves removals() {
        return removals;
    }
}
