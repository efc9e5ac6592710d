package io.sluice.relay;

import io.sluice.provider.cosmos.Connectivity;
import io.sluice.relay.http.OpsToken;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The types of settings, each with its range in words. */
final class SettingTypes {
    private static final Pattern TOPIC_PREFIX = Pattern.compile("[a-zA-Z0-9._-]{1,200}");

    private SettingTypes() {}

    static Setting.Type<String> text() {
        return new Setting.Type<>("text", false, text -> text);
    }

    static Setting.Type<String> path() {
        return new Setting.Type<>("text", false, text -> {
            try {
                return Path.of(text).toString();
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException("must be a path: " + e.getReason(), e);
            }
        });
    }

    static Setting.Type<String> secret() {
        return new Setting.Type<>("secret", true, text -> text);
    }

    static Setting.Type<String> token() {
        return new Setting.Type<>("secret of " + OpsToken.SHORTEST + " characters or more", true, text -> {
            if (!text.isEmpty()) {
                new OpsToken(text);
            }
            return text;
        });
    }

    static Setting.Type<Boolean> keyOrIdentity() {
        return new Setting.Type<>("key or aad", false, text -> {
            if (!text.equalsIgnoreCase("key") && !text.equalsIgnoreCase("aad")) {
                throw new IllegalArgumentException("must be key or aad");
            }
            return text.equalsIgnoreCase("aad");
        });
    }

    static Setting.Type<Connectivity.Mode> directOrGateway() {
        return new Setting.Type<>("direct or gateway", false, text -> switch (text.toLowerCase(Locale.ROOT)) {
            case "" -> Connectivity.Mode.BY_ENDPOINT;
            case "direct" -> Connectivity.Mode.DIRECT;
            case "gateway" -> Connectivity.Mode.GATEWAY;
            default -> throw new IllegalArgumentException("must be direct or gateway");
        });
    }

    static <E extends Enum<E>> Setting.Type<E> oneOf(Class<E> type) {
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

    static Setting.Type<Boolean> trueOrFalse() {
        return new Setting.Type<>("true or false", false, text -> {
            if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
                throw new IllegalArgumentException("must be true or false");
            }
            return Boolean.valueOf(text);
        });
    }

    static Setting.Type<String> url() {
        return new Setting.Type<>("http(s) URL", false, text -> {
            if (!text.matches("https?://[^/\\s:]+(:\\d{1,5})?/?")) {
                throw new IllegalArgumentException("must be a URL like https://name.documents.azure.com:443/");
            }
            return text;
        });
    }

    static Setting.Type<String> servers() {
        return new Setting.Type<>("host:port,...", false, text -> {
            for (String server : text.split(",", -1)) {
                if (!server.strip().matches("[^\\s@]+:\\d{1,5}")) {
                    throw new IllegalArgumentException("must be host:port, several separated by commas");
                }
            }
            return text;
        });
    }

    static Setting.Type<String> hostAndPort() {
        return new Setting.Type<>("host:port", false, text -> {
            if (!text.isEmpty() && !text.matches("[^:\\s/]+:\\d{1,5}")) {
                throw new IllegalArgumentException("must be host:port");
            }
            return text;
        });
    }

    static Setting.Type<String> topicPrefix() {
        return new Setting.Type<>("letters, digits, . _ -", false, text -> {
            if (!TOPIC_PREFIX.matcher(text).matches()) {
                throw new IllegalArgumentException(
                        "must be 1 to 200 characters of letters, digits, dot, underscore and hyphen");
            }
            return text;
        });
    }

    static Setting.Type<List<String>> hostNames() {
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

    static Setting.Type<List<String>> topicNames() {
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

    static Setting.Type<Integer> whole(int least, int most, String unit) {
        return new Setting.Type<>(least + " to " + most + " " + unit, false, text -> (int) number(text, least, most));
    }

    static Setting.Type<Integer> inSync() {
        return new Setting.Type<>("1 to 10 replicas, or -1", false, text -> {
            int replicas = (int) number(text, -1, 10);
            if (replicas == 0) {
                throw new IllegalArgumentException("must be 1 to 10, or -1");
            }
            return replicas;
        });
    }

    static Setting.Type<Double> share() {
        return new Setting.Type<>("0 to 1", false, text -> {
            if (!text.matches("0(\\.\\d{1,9})?|1(\\.0{1,9})?")) {
                throw new IllegalArgumentException("must be 0 to 1, such as 0.25");
            }
            return Double.valueOf(text);
        });
    }

    static Setting.Type<Duration> millis(long least, long most) {
        return new Setting.Type<>(
                least + " to " + most + " ms", false, text -> Duration.ofMillis(number(text, least, most)));
    }

    private static long number(String text, long least, long most) {
        long value;
        try {
            value = Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("must be a whole number", e);
        }
        if (value < least || value > most) {
            throw new IllegalArgumentException("must be " + least + " to " + most);
        }
        return value;
    }
}
