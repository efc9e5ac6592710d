package io.sluice.connect;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What the connector accepts as the value of one key; an answer is the complaint, empty when the value is fine. */
@FunctionalInterface
interface KeyRule {
    Pattern TOPIC_MAP = Pattern.compile("[^#,]+#[^#,]+(,[^#,]+#[^#,]+)*");

    /** The complaint about {@code value} ("must be …"), or empty. */
    Optional<String> complaint(String value);

    static KeyRule any() {
        return value -> Optional.empty();
    }

    static KeyRule filled() {
        return value -> value.isBlank() ? Optional.of("must not be empty") : Optional.empty();
    }

    static KeyRule bool() {
        return oneOf("true", "false");
    }

    static KeyRule oneOf(String... allowed) {
        var values = List.of(allowed);
        return value -> values.contains(value) ? Optional.empty() : Optional.of("must be one of " + values);
    }

    static KeyRule atLeast(long smallest) {
        return value -> {
            try {
                return Long.parseLong(value) >= smallest
                        ? Optional.empty()
                        : Optional.of("must be at least " + smallest);
            } catch (NumberFormatException notANumber) {
                return Optional.of("must be a whole number");
            }
        };
    }

    /** A share: greater than 0, at most 1. */
    static KeyRule share() {
        return value -> {
            try {
                double number = Double.parseDouble(value);
                return number > 0 && number <= 1
                        ? Optional.empty()
                        : Optional.of("must be greater than 0 and at most 1");
            } catch (NumberFormatException notANumber) {
                return Optional.of("must be a number");
            }
        };
    }

    static KeyRule url() {
        return value -> {
            try {
                var uri = new URI(value);
                boolean usable =
                        Set.of("https", "http").contains(String.valueOf(uri.getScheme())) && uri.getHost() != null;
                return usable ? Optional.empty() : Optional.of("must be an http(s) URL");
            } catch (URISyntaxException malformed) {
                return Optional.of("must be a URL");
            }
        };
    }

    /** {@code topic#container,…}, as both topic maps are written. */
    static KeyRule topicMap() {
        return value -> TOPIC_MAP.matcher(value).matches()
                ? Optional.empty()
                : Optional.of("must be a list of topic#container");
    }

    /** Beginning, Now, or an instant with {@code Z}: the connector's parser refuses its own documented example without it. */
    static KeyRule startFrom() {
        return value -> {
            if (value.equals("Beginning") || value.equals("Now")) {
                return Optional.empty();
            }
            try {
                Instant.parse(value);
                return Optional.empty();
            } catch (DateTimeParseException malformed) {
                return Optional.of("must be Beginning, Now or an instant such as 2020-02-10T14:15:03Z");
            }
        };
    }
}
