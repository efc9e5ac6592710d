package io.sluice.program.setting;

import io.sluice.program.http.OpsToken;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The types of settings, each with its range in words. */
public final class SettingTypes {
    private static final Pattern TOPIC_PREFIX = Pattern.compile("[a-zA-Z0-9._-]{1,200}");

    private SettingTypes() {}

    /** Any text. */
    public static Setting.Type<String> text() {
        return new Setting.Type<>("text", false, text -> text);
    }

    /** A path of this machine's file system. */
    public static Setting.Type<String> path() {
        return new Setting.Type<>("text", false, text -> {
            try {
                return Path.of(text).toString();
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException("must be a path: " + e.getReason(), e);
            }
        });
    }

    /** A text that is never shown. */
    public static Setting.Type<String> secret() {
        return new Setting.Type<>("secret", true, text -> text);
    }

    /** A token for calls of operators; may be empty. */
    public static Setting.Type<String> token() {
        return new Setting.Type<>("secret of " + OpsToken.SHORTEST + " characters or more", true, text -> {
            if (!text.isEmpty()) {
                new OpsToken(text);
            }
            return text;
        });
    }

    /** One of an enumeration's names, in any case. */
    public static <E extends Enum<E>> Setting.Type<E> oneOf(Class<E> type) {
        var names = Stream.of(type.getEnumConstants())
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        return new Setting.Type<>(names, false, text -> {
            for (E constant : type.getEnumConstants()) {
                if (constant.name().equalsIgnoreCase(text)) {
                    return constant;
                }
            }
            throw new IllegalArgumentException("must be one of " + names);
        });
    }

    /** True or false, in any case. */
    public static Setting.Type<Boolean> trueOrFalse() {
        return new Setting.Type<>("true or false", false, text -> {
            if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
                throw new IllegalArgumentException("must be true or false");
            }
            return Boolean.valueOf(text);
        });
    }

    /** Kafka's brokers; may be empty. */
    public static Setting.Type<String> servers() {
        return new Setting.Type<>("host:port,...", false, text -> {
            for (String server : text.isEmpty() ? new String[0] : text.split(",", -1)) {
                if (!server.strip().matches("[^\\s@]+:\\d{1,5}")) {
                    throw new IllegalArgumentException("must be host:port, several separated by commas");
                }
            }
            return text;
        });
    }

    /** A host and its port; may be empty. */
    public static Setting.Type<String> hostAndPort() {
        return new Setting.Type<>("host:port", false, text -> {
            if (!text.isEmpty() && !text.matches("[^:\\s/]+:\\d{1,5}")) {
                throw new IllegalArgumentException("must be host:port");
            }
            return text;
        });
    }

    /** What names of topics begin with. */
    public static Setting.Type<String> topicPrefix() {
        return new Setting.Type<>("letters, digits, . _ -", false, text -> {
            if (!TOPIC_PREFIX.matcher(text).matches()) {
                throw new IllegalArgumentException(
                        "must be 1 to 200 characters of letters, digits, dot, underscore and hyphen");
            }
            return text;
        });
    }

    /** Names of hosts, without ports; may be empty. */
    public static Setting.Type<List<String>> hostNames() {
        return new Setting.Type<>("name,...", false, text -> {
            if (text.isEmpty()) {
                return List.of();
            }
            var names = Stream.of(text.split(",", -1)).map(String::strip).toList();
            if (!names.stream().allMatch(name -> name.matches("\\.?[a-zA-Z0-9_-]+(\\.[a-zA-Z0-9_-]+)*"))) {
                throw new IllegalArgumentException("must be names of hosts without ports, separated by commas");
            }
            return names;
        });
    }

    /** Names of topics, some for all that begin so; may be empty. */
    public static Setting.Type<List<String>> topicNames() {
        return new Setting.Type<>("topic,...", false, text -> {
            if (text.isEmpty()) {
                return List.of();
            }
            var names = Stream.of(text.split(",", -1)).map(String::strip).toList();
            if (!names.stream().allMatch(name -> name.matches("[a-zA-Z0-9._-]{1,249}\\*?|\\*"))) {
                throw new IllegalArgumentException(
                        "must be names of topics separated by commas, each with a * at its end or without");
            }
            return names;
        });
    }

    /** A whole number within bounds; behind a comma the unit says what a bound means. */
    public static Setting.Type<Integer> whole(int least, int most, String unit) {
        String range = least + " to " + most + (unit.startsWith(",") ? unit : " " + unit);
        return new Setting.Type<>(range, false, text -> (int) number(text, least, most, range));
    }

    /** {@code min.insync.replicas}, or -1 to leave it to the broker. */
    public static Setting.Type<Integer> inSync() {
        return new Setting.Type<>("1 to 10 replicas, or -1", false, text -> {
            int replicas = (int) number(text, -1, 10, "1 to 10 replicas, or -1");
            if (replicas == 0) {
                throw new IllegalArgumentException("must be 1 to 10 replicas, or -1");
            }
            return replicas;
        });
    }

    /** A part of one. */
    public static Setting.Type<Double> share() {
        return new Setting.Type<>("0 to 1", false, text -> {
            if (!text.matches("0(\\.\\d{1,9})?|1(\\.0{1,9})?")) {
                throw new IllegalArgumentException("must be 0 to 1, such as 0.25");
            }
            return Double.valueOf(text);
        });
    }

    /** A time in milliseconds within bounds. */
    public static Setting.Type<Duration> millis(long least, long most) {
        String range = least + " to " + most + " ms";
        return new Setting.Type<>(range, false, text -> Duration.ofMillis(number(text, least, most, range)));
    }

    /** A time in seconds within bounds; what a bound means may follow, such as {@code , 0 for none}. */
    public static Setting.Type<Duration> seconds(long least, long most, String meaning) {
        String range = least + " to " + most + " s" + meaning;
        return new Setting.Type<>(range, false, text -> Duration.ofSeconds(number(text, least, most, range)));
    }

    /** A file that can be read; may be empty. */
    public static Setting.Type<String> readableFile(String format) {
        return new Setting.Type<>("file, " + format, false, text -> {
            if (!text.isEmpty() && !isReadable(text)) {
                throw new IllegalArgumentException("must be a file that can be read");
            }
            return text;
        });
    }

    private static boolean isReadable(String path) {
        try {
            return Files.isReadable(Path.of(path));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /** Names with commas between them, each once; may be empty. */
    public static Setting.Type<List<String>> names(String range) {
        return new Setting.Type<>(
                range,
                false,
                text -> Stream.of(text.split(",", -1))
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .distinct()
                        .toList());
    }

    private static long number(String text, long least, long most, String range) {
        long value;
        try {
            value = Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("must be a whole number, " + range, e);
        }
        if (value < least || value > most) {
            throw new IllegalArgumentException("must be " + range);
        }
        return value;
    }
}
