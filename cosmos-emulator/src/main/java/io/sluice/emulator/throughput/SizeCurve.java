package io.sluice.emulator.throughput;

/** A charge by item size: straight lines between published figures, and on beyond the last. Immutable. */
final class SizeCurve {
    private static final double BYTES_PER_KB = 1024;

    private final double[] kilobytes;
    private final double[] charges;

    /** @param points size in KB and charge in request units, by turns, at least two pairs with growing sizes */
    SizeCurve(double... points) {
        kilobytes = new double[points.length / 2];
        charges = new double[points.length / 2];
        for (int i = 0; i < kilobytes.length; i++) {
            kilobytes[i] = points[2 * i];
            charges[i] = points[2 * i + 1];
        }
    }

    /** The charge in request units, to hundredths; for a size below the first one the charge of the first. */
    double at(long sizeBytes) {
        double size = Math.max(kilobytes[0], sizeBytes / BYTES_PER_KB);
        int to = 1;
        while (to < kilobytes.length - 1 && kilobytes[to] < size) {
            to++;
        }
        double share = (size - kilobytes[to - 1]) / (kilobytes[to] - kilobytes[to - 1]);
        double charge = charges[to - 1] + share * (charges[to] - charges[to - 1]);
        return Math.round(charge * 100) / 100.0;
    }
}
