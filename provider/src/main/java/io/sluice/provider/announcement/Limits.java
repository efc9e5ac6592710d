package io.sluice.provider.announcement;

import io.sluice.provider.json.Surrogates;
import org.jspecify.annotations.Nullable;

/** What the fields of an announcement may hold. */
final class Limits {
    /** Characters of an id, as in the store. */
    static final int MOST_ID = 1_023;

    /** Characters of the kind of a work item. */
    static final int MOST_KIND = 40;

    /** Characters of an account's host name, or of a database's or container's id or resource id. */
    static final int MOST_NAME = 255;

    /** Characters of a session token, which has some for each region. */
    static final int MOST_TOKEN = 400;

    /** Documents of one announcement. */
    static final int MOST_DOCUMENTS = 1_000;

    /** Bytes of one announcement as JSON, as many as Kafka takes by default. */
    static final int MOST_BYTES = 1_000_000;

    private Limits() {}

    /** A text that is required. */
    static void text(String field, @Nullable String value, int most) {
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException(field + " is required, but missing or empty");
        }
        optional(field, value, most);
    }

    /** Whether a text that is required is within its limits. */
    static boolean isText(String value, int most) {
        return !value.isEmpty() && value.length() <= most && Surrogates.firstLone(value) < 0;
    }

    /** A text that may be missing. */
    static void optional(String field, @Nullable String value, int most) {
        if (value == null) {
            return;
        }
        if (value.length() > most) {
            throw new IllegalArgumentException(field + " has " + value.length() + " characters, the limit is " + most);
        }
        int half = Surrogates.firstLone(value);
        if (half >= 0) {
            throw new IllegalArgumentException(field + " has half a surrogate pair at character " + half);
        }
    }
}
