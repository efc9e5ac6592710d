package io.sluice.benchmarks;

import io.sluice.benchmarks.emulator.EmulatorPerformancePage;
import io.sluice.benchmarks.relay.RelayPerformancePage;
import java.io.IOException;
import java.nio.file.Path;

/** Runs the benchmark of a name: {@code mvn -q -Pbench -Dbench=emulator}. */
public final class Bench {
    private Bench() {}

    /**
     * Runs it.
     *
     * @param arguments its name, and the folder its page goes to
     * @throws IllegalArgumentException when there is no such benchmark
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            throw new IllegalArgumentException(
                    "give a benchmark's name and the folder of its page, such as: emulator docs");
        }
        var folder = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "emulator" -> EmulatorPerformancePage.write(folder.resolve("emulator-performance.md"));
            case "relay" -> RelayPerformancePage.write(folder.resolve("relay-performance.md"));
            default -> throw new IllegalArgumentException("-Dbench must be emulator or relay, was " + arguments[0]);
        }
    }
}
