package io.sluice.benchmarks.result;

import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * What a benchmark ran on.
 *
 * @param date of the end, UTC
 * @param command that measures the same again
 * @param machine its processor
 * @param processors how many
 * @param java its version
 * @param loadBefore how many processes wanted a processor in the minute before
 * @param loadAfter and in the last minute of it
 * @param runs how often each figure was measured
 */
public record Conditions(
        String date,
        String command,
        String machine,
        int processors,
        String java,
        double loadBefore,
        double loadAfter,
        int runs) {
    /** The conditions of this machine, now that a benchmark has ended. */
    public static Conditions now(String command, double loadBefore, int runs) {
        return new Conditions(
                LocalDate.now(ZoneOffset.UTC).toString(),
                command,
                Machine.processor(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.version"),
                loadBefore,
                Machine.load(),
                runs);
    }
}
