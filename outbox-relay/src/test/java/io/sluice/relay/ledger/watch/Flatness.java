package io.sluice.relay.ledger.watch;

import java.util.Arrays;
import java.util.List;

/**
 * Whether something stays as large as it is. The first third of a run is warm-up. What grows fails by either of two
 * rules, both with the same allowance, a tenth of the middle third's median and a constant:
 *
 * <ul>
 *   <li>the median of the last third is at most the median of the middle third and the allowance: steps are seen,
 *   single spikes are not;
 *   <li>the trend over both (Theil and Sen: the median slope of all pairs), carried over their whole length, is at most
 *       the allowance: what creeps is seen at half the height.
 * </ul>
 *
 * @param first median of the first third
 * @param middle median of the middle third
 * @param last median of the last third
 * @param rise the trend over middle and last third
 * @param allowance what either may grow
 */
public record Flatness(double first, double middle, double last, double rise, double allowance) {
    private static final double PART = 0.1;
    static final int FEWEST = 9;

    /** A value at a time; seconds since any moment. */
    public record Point(double seconds, double value) {}

    /**
     * Judges a series that has at least {@value #FEWEST} points, in the order of time.
     *
     * @param constant growth that means nothing, however small the value
     */
    static Flatness of(List<Point> series, double constant) {
        if (series.size() < FEWEST) {
            throw new IllegalArgumentException("a series needs " + FEWEST + " points, had " + series.size());
        }
        double begin = series.get(0).seconds();
        double end = series.get(series.size() - 1).seconds();
        double third = (end - begin) / 3;
        var warmUp =
                series.stream().filter(point -> point.seconds() < begin + third).toList();
        var judged = series.subList(warmUp.size(), series.size());
        double middle = median(judged.stream()
                .filter(point -> point.seconds() < begin + 2 * third)
                .mapToDouble(Point::value)
                .toArray());
        double last = median(judged.stream()
                .filter(point -> point.seconds() >= begin + 2 * third)
                .mapToDouble(Point::value)
                .toArray());
        return new Flatness(
                median(warmUp.stream().mapToDouble(Point::value).toArray()),
                middle,
                last,
                slope(judged) * 2 * third,
                PART * middle + constant);
    }

    /** Whether neither rule finds growth. */
    public boolean isFlat() {
        return last - middle <= allowance && rise <= allowance;
    }

    private static double slope(List<Point> points) {
        var slopes = new double[points.size() * (points.size() - 1) / 2];
        int next = 0;
        for (int i = 0; i < points.size(); i++) {
            for (int j = i + 1; j < points.size(); j++) {
                var from = points.get(i);
                var to = points.get(j);
                slopes[next++] = (to.value() - from.value()) / (to.seconds() - from.seconds());
            }
        }
        return median(slopes);
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        int half = values.length / 2;
        return values.length % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
    }
}
