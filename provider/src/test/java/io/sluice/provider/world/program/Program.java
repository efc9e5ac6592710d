package io.sluice.provider.world.program;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What the code of an orchestration does in one execution: steps, one after the other, then its end. Whoever replays it
 * finds the same.
 *
 * @param end how the execution ends when nobody cancels it
 */
public record Program(List<Step> steps, End end) {
    public static final int MOST_EXECUTIONS = 3;
    private static final int BIG = 105;
    private static final int KEYS = 4;

    /** One step. */
    public sealed interface Step {}

    /** Some activities at once, in a session or not; done when all are. */
    public record Activities(int count, boolean inSession) implements Step {}

    /** Some children at once; done when all are. */
    public record Children(int count) implements Step {}

    /** Done when the time of each has come. */
    public record Timers(int count, long millis) implements Step {}

    /** Done when somebody raises it. */
    public record Event(String name) implements Step {}

    /** Values that are set; one that is null is cleared. */
    public record Values(List<String> keys, List<String> values, boolean clearedFirst) implements Step {}

    /** More than one batch holds. */
    public record ManyValues(int count) implements Step {}

    /** What clients see. */
    public record Status(String text) implements Step {}

    /** Activities for which nobody waits; done at once. */
    public record Spare(int count, boolean served) implements Step {}

    /** The spare ones are cancelled. */
    public record CancelSpare() implements Step {}

    /** Some steps at once, of which each does all it does in its first turn; done when all are. */
    public record Together(List<Step> steps) implements Step {
        public Together(Step... steps) {
            this(List.of(steps));
        }
    }

    /** How an execution ends. */
    public enum End {
        COMPLETED,
        FAILED,
        CONTINUED
    }

    /** The programs of all instances and executions. */
    @FunctionalInterface
    public interface Code {
        Program of(String instance, long execution);

        /** Those that follow from a seed. */
        static Code drawn(long seed) {
            return (instance, execution) -> Program.drawn(seed, instance, execution);
        }
    }

    public Program {
        steps = List.copyOf(steps);
    }

    public Program(End end, Step... steps) {
        this(List.of(steps), end);
    }

    private static Program drawn(long seed, String instance, long execution) {
        var random = new SplittableRandom(seed * 31 + instance.hashCode() * 1_000_003L + execution);
        boolean child = instance.contains(Replay.CHILD);
        var steps = new ArrayList<Step>();
        int count = random.nextInt(child ? 2 : 3) + (child ? 0 : 1);
        for (int i = 0; i < count; i++) {
            steps.addAll(steps(random, i, child));
        }
        int end = random.nextInt(10);
        if (end < 2 && execution < MOST_EXECUTIONS) {
            return new Program(steps, End.CONTINUED);
        }
        return new Program(steps, end == 9 ? End.FAILED : End.COMPLETED);
    }

    private static List<Step> steps(SplittableRandom random, int place, boolean child) {
        int kind = random.nextInt(100);
        if (kind < 25) {
            return List.of(new Activities(random.nextInt(1, 4), random.nextInt(3) == 0));
        } else if (kind < 45) {
            return List.of(child ? new Activities(1, true) : new Children(random.nextInt(1, 3)));
        } else if (kind < 57) {
            return List.of(new Timers(1, random.nextLong(1, 20) * 1_000));
        } else if (kind < 67) {
            return List.of(new Event("event" + place));
        } else if (kind < 80) {
            return List.of(values(random));
        } else if (kind < 85) {
            return List.of(new Status("at " + place));
        } else if (kind < 96) {
            return List.of(new Spare(1, random.nextBoolean()), new Activities(1, false), new CancelSpare());
        }
        return List.of(new ManyValues(BIG));
    }

    private static Values values(SplittableRandom random) {
        var keys = new ArrayList<String>();
        var values = new ArrayList<String>();
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            keys.add("key" + random.nextInt(KEYS));
            values.add(random.nextInt(4) == 0 ? "" : "value" + random.nextInt(100));
        }
        return new Values(keys, values, random.nextInt(5) == 0);
    }
}
