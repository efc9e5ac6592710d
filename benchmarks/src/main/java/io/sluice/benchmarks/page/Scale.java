package io.sluice.benchmarks.page;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/** Where values lie along an axis, from 0 to 1. */
interface Scale {
    /** A mark on an axis. */
    record Tick(double place, String label) {}

    double place(double value);

    List<Tick> ticks();

    /** From nought to a round number beyond all values, or between powers of ten. */
    static Scale of(Chart.Axis axis, DoubleStream values) {
        var statistics = values.filter(Double::isFinite).summaryStatistics();
        return axis.isLogarithmic()
                ? Logarithmic.over(statistics.getMin(), statistics.getMax())
                : Linear.over(statistics.getMax());
    }

    /** Equal steps are equal differences. */
    record Linear(double greatest, double step) implements Scale {
        private static final int STEPS = 5;

        static Linear over(double greatest) {
            double rough = Math.max(greatest, 1e-9) / STEPS;
            double power = Math.pow(10, Math.floor(Math.log10(rough)));
            double step = DoubleStream.of(1, 2, 2.5, 5, 10)
                    .map(factor -> factor * power)
                    .filter(candidate -> candidate >= rough * 0.999)
                    .findFirst()
                    .orElse(10 * power);
            return new Linear(step * Math.ceil(greatest / step - 1e-9), step);
        }

        @Override
        public double place(double value) {
            return value / greatest;
        }

        @Override
        public List<Tick> ticks() {
            var ticks = new ArrayList<Tick>();
            for (int i = 0; i * step <= greatest * 1.0001; i++) {
                ticks.add(new Tick(place(i * step), label(i * step)));
            }
            return ticks;
        }
    }

    /** Equal steps are equal factors. */
    record Logarithmic(double least, double greatest) implements Scale {
        private static final double[] STOPS = {1, 2, 5};
        private static final int MOST_TICKS = 9;

        static Logarithmic over(double least, double greatest) {
            double positive = least > 0 ? least : greatest / 1000;
            double from = stop(positive, false);
            double to = stop(greatest, true);
            return new Logarithmic(from, to > from ? to : from * 10);
        }

        /** The nearest of 1, 2, 5, 10, … below or above. */
        private static double stop(double value, boolean isAbove) {
            double power = Math.pow(10, Math.floor(Math.log10(value)));
            double found = isAbove ? 10 * power : power;
            for (double stop : STOPS) {
                double candidate = stop * power;
                if (isAbove && candidate >= value * 0.9999) {
                    return candidate;
                }
                found = !isAbove && candidate <= value * 1.0001 ? candidate : found;
            }
            return found;
        }

        @Override
        public double place(double value) {
            double bounded = Math.max(value, least);
            return Math.log(bounded / least) / Math.log(greatest / least);
        }

        @Override
        public List<Tick> ticks() {
            var all = ticks(STOPS);
            return all.size() <= MOST_TICKS ? all : ticks(new double[] {1});
        }

        private List<Tick> ticks(double[] stops) {
            var ticks = new ArrayList<Tick>();
            for (double power = Math.pow(10, Math.floor(Math.log10(least))); power <= greatest; power *= 10) {
                for (double stop : stops) {
                    double value = stop * power;
                    if (value >= least * 0.999 && value <= greatest * 1.001) {
                        ticks.add(new Tick(place(value), label(value)));
                    }
                }
            }
            return ticks;
        }
    }

    /** Marks at these values only, with labels of their own. */
    record At(Scale scale, List<Double> values, List<String> labels) implements Scale {
        @Override
        public double place(double value) {
            return scale.place(value);
        }

        @Override
        public List<Tick> ticks() {
            var ticks = new ArrayList<Tick>();
            for (int i = 0; i < values.size(); i++) {
                ticks.add(new Tick(place(values.get(i)), labels.get(i)));
            }
            return ticks;
        }
    }

    /** Categories at equal distances, by their index. */
    record Categories(int count) implements Scale {
        @Override
        public double place(double value) {
            return (value + 0.5) / count;
        }

        @Override
        public List<Tick> ticks() {
            return List.of();
        }
    }

    private static String label(double value) {
        return value == 0 ? "0" : Numbers.axis(value);
    }
}
