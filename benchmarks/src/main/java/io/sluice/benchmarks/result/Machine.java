package io.sluice.benchmarks.result;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine that measures. */
public final class Machine {
    private Machine() {}

    /** How many processes want a processor, over the last minute, in tenths. */
    public static double load() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return Math.round(load * 10) / 10.0;
    }

    /** What its processor calls itself. */
    static String processor() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElseGet(() -> System.getProperty("os.arch"));
        } catch (IOException e) {
            throw new UncheckedIOException("The processor is read on Linux only", e);
        }
    }
}
