package io.sluice.testkit;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Where Cosmos and Kafka come from when the environment names neither an account nor a cluster. */
enum LocalBackend {
    EMBEDDED,
    DOCKER;

    static final String VARIABLE = "SLUICE_TEST_BACKEND";

    /** Embedded unless {@value #VARIABLE} says otherwise; an unknown value is an error, not a default. */
    static LocalBackend chosenBy(Map<String, String> environment) {
        String value = environment.getOrDefault(VARIABLE, "");
        if (value.isBlank()) {
            return EMBEDDED;
        }
        return Arrays.stream(values())
                .filter(backend -> backend.word().equalsIgnoreCase(value.strip()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        VARIABLE + " must be one of " + allowedValues() + " or unset, was \"" + value + "\""));
    }

    private static String allowedValues() {
        return Arrays.stream(values()).map(LocalBackend::word).collect(Collectors.joining(", "));
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
