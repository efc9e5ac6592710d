package io.sluice.provider.kafka.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;

/**
 * Whether the kafka-clients on the class path is one that a feed works with. Build files that manage this library, such
 * as Spring Boot's parent, replace the version that the feed was built with; classes and methods are then missing in
 * the feed's threads, long after the start.
 */
public final class KafkaClientVersion {
    private static final int LEAST_MAJOR = 4;
    private static final int LEAST_MINOR = 2;
    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,9})\\.(\\d{1,9})\\D?.*");

    private KafkaClientVersion() {}

    /**
     * Checks the class path.
     *
     * @throws IllegalStateException when it has an older one; it names both versions and the remedy
     */
    public static void requireUsable() {
        requireUsable(found(), KafkaClientVersion::hasWhatIsNeeded);
    }

    /** What the client says of itself, in a file that all versions have; the class that reads it moved with 4.4. */
    private static String found() {
        try (InputStream file = Admin.class.getClassLoader().getResourceAsStream("kafka/kafka-version.properties")) {
            Properties properties = new Properties();
            if (file != null) {
                properties.load(file);
            }
            return properties.getProperty("version", "unknown").strip();
        } catch (IOException e) {
            throw new UncheckedIOException("reading the version of kafka-clients failed", e);
        }
    }

    /** A version that is no number, as in a jar packed again, is judged by the newest method that is needed. */
    static void requireUsable(String found, BooleanSupplier hasWhatIsNeeded) {
        Matcher numbers = NUMBERS.matcher(found);
        boolean usable = numbers.matches()
                ? isLeast(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)))
                : hasWhatIsNeeded.getAsBoolean();
        if (!usable) {
            throw new IllegalStateException("KafkaWorkFeed needs kafka-clients " + LEAST_MAJOR + "." + LEAST_MINOR
                    + " or newer, the class path has version " + found
                    + ": with Spring Boot's parent set the property <kafka.version>, else import sluice-bom before"
                    + " other lists of versions (docs/dispatch.md, \"Spring Boot\")");
        }
    }

    private static boolean isLeast(int major, int minor) {
        return major > LEAST_MAJOR || (major == LEAST_MAJOR && minor >= LEAST_MINOR);
    }

    private static boolean hasWhatIsNeeded() {
        try {
            Class<?> places = Class.forName(
                    "org.apache.kafka.clients.admin.ListShareGroupOffsetsResult", false, Admin.class.getClassLoader());
            return Arrays.stream(places.getMethods())
                    .anyMatch(method -> method.getName().equals("partitionsToOffsetInfo"));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
