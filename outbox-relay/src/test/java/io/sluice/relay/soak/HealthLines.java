package io.sluice.relay.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** What runtimes wrote into their logs about announcements: that they can't be relied on, and that they can. */
final class HealthLines {
    private static final String POLLED = "announcements of work can't be relied on";
    private static final String ANNOUNCED = "work is announced";
    private static final String UNSUPPORTED = "the broker can't distribute these announcements";
    private static final int TIME_LENGTH = "00:00:00.000".length();

    private final List<Long> polled = new ArrayList<>();
    private final List<Long> announced = new ArrayList<>();
    private int unsupported;

    private HealthLines() {}

    /** Those of all runtimes whose logs are in the folder. The run began on {@code day}, and takes less than a day. */
    static HealthLines read(Path folder, LocalDate day, long begunMillis) throws IOException {
        var lines = new HealthLines();
        try (var logs = Files.newDirectoryStream(folder, "runtime-*.log")) {
            for (var log : logs) {
                for (var line : Files.readAllLines(log)) {
                    if (line.contains(POLLED)) {
                        lines.polled.add(millis(line, day, begunMillis));
                    } else if (line.contains(ANNOUNCED)) {
                        lines.announced.add(millis(line, day, begunMillis));
                    } else if (line.contains(UNSUPPORTED)) {
                        lines.unsupported++;
                    }
                }
            }
        }
        return lines;
    }

    private static long millis(String line, LocalDate day, long begunMillis) {
        var time = LocalTime.parse(line.substring(0, TIME_LENGTH));
        var zone = ZoneId.systemDefault();
        long sameDay = time.atDate(day).atZone(zone).toInstant().toEpochMilli();
        return sameDay >= begunMillis
                ? sameDay
                : time.atDate(day.plusDays(1)).atZone(zone).toInstant().toEpochMilli();
    }

    /** When the first runtime began to query the store, from a moment on. */
    OptionalLong firstPolled(long fromMillis) {
        return polled.stream()
                .mapToLong(Long::longValue)
                .filter(time -> time >= fromMillis)
                .min();
    }

    /** When the last runtime relied on announcements again, from a moment on. */
    OptionalLong lastAnnounced(long fromMillis) {
        return announced.stream()
                .mapToLong(Long::longValue)
                .filter(time -> time >= fromMillis)
                .max();
    }

    /** How many lines say that the broker has no such groups. */
    int unsupported() {
        return unsupported;
    }
}
