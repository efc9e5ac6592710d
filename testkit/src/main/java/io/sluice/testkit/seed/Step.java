package io.sluice.testkit.seed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * What is done to running processes, and its circumstances.
 *
 * @param after the step before
 * @param choice what it is done to, modulo what there is
 */
public record Step<A>(A action, Duration after, int choice) {
    private static final int CHOICES = 1 << 20;

    /** All the actions, spread unevenly over a time; the same seed gives the same steps in the same order. */
    public static <A> List<Step<A>> spread(List<A> actions, Duration time, long seed) {
        Random random = new Random(seed);
        List<A> shuffled = new ArrayList<>(actions);
        Collections.shuffle(shuffled, random);
        double[] waits = random.doubles(shuffled.size()).toArray();
        double millis = time.toMillis() / Arrays.stream(waits).sum();
        return IntStream.range(0, waits.length)
                .mapToObj(i -> new Step<>(
                        shuffled.get(i), Duration.ofMillis((long) (millis * waits[i])), random.nextInt(CHOICES)))
                .toList();
    }
}
