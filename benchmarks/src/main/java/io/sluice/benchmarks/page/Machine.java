package io.sluice.benchmarks.page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The machine that measures. */
public final class Machine {
    private Machine() {}

    /** How many processes want a processor, over the last minute. */
    public static String load() {
        return String.format(
                Locale.ROOT,
                "%.1f",
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    /** Processors and Java. */
    public static String description() {
        return processor() + ", " + Runtime.getRuntime().availableProcessors() + " processors, Java "
                + System.getProperty("java.version");
    }

    private static String processor() {
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
