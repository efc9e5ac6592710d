package io.sluice.connect;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the connector accepts as the value of one key; an answer is the complaint, empty when the value is fine. */
@FunctionalInterface
interface KeyRule {
    Pattern TOPIC_MAP = Pattern.compile("[^#,]+#[^#,]+(,[^#,]+#[^#,]+)*");
    Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
    Pattern TENANT = Pattern.compile("[0-9a-fA-F-]{36}|[a-zA-Z0-9-]+(\\.[a-zA-Z0-9-]+)+");
    Pattern TEMPLATE_VARIABLE = Pattern.compile("\\$\\{([^}]*)}");
    Pattern PATCH_PROPERTY = Pattern.compile(
            "property\\([^()/.]+\\)(\\.path\\(/[^()]+\\))?(\\.op\\((none|add|set|replace|remove|increment)\\))?");
    Set<String> TEMPLATE_VARIABLES = Set.of("topic", "partition", "offset", "key");

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

    /**
     * Beginning, Now, or an instant with {@code Z}: the connector's parser refuses its own documented example without
     * it.
     */
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

    /** Names separated by commas, none of them empty. */
    static KeyRule list() {
        return value -> Stream.of(value.split(",", -1)).anyMatch(String::isBlank)
                ? Optional.of("must be names separated by commas")
                : Optional.empty();
    }

    /** At least this, or -1 for no limit. */
    static KeyRule atLeastOrOff(long smallest) {
        return value -> value.equals("-1")
                ? Optional.empty()
                : atLeast(smallest).complaint(value).map(complaint -> complaint + ", or -1");
    }

    static KeyRule topic() {
        return value -> TOPIC.matcher(value).matches()
                ? Optional.empty()
                : Optional.of("must be a topic's name: 1 to 249 letters, digits, dots, underscores and hyphens");
    }

    /** A directory's GUID, or one of its domains. */
    static KeyRule tenant() {
        return value ->
                TENANT.matcher(value).matches() ? Optional.empty() : Optional.of("must be a tenant's GUID or domain");
    }

    /**
     * An id made of the record's place and key. The connector leaves an unknown variable as it is, so all records would
     * share one id.
     */
    static KeyRule template() {
        return value -> {
            List<String> variables = TEMPLATE_VARIABLE
                    .matcher(value)
                    .results()
                    .map(match -> match.group(1))
                    .toList();
            return !variables.isEmpty() && TEMPLATE_VARIABLES.containsAll(variables)
                    ? Optional.empty()
                    : Optional.of("must hold ${topic}, ${partition}, ${offset} or ${key}, and no other variable");
        };
    }

    /** {@code property(x).op(set)} or {@code property(x).path(/y).op(add)}, several separated by commas. */
    static KeyRule patchProperties() {
        return value -> Stream.of(value.split(",", -1))
                        .allMatch(property ->
                                PATCH_PROPERTY.matcher(property.strip()).matches())
                ? Optional.empty()
                : Optional.of("must be a list of property(x).path(/y).op(set), path and op as needed, "
                        + "of top-level properties");
    }
}
