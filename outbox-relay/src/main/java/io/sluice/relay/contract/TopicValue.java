package io.sluice.relay.contract;

import org.jspecify.annotations.Nullable;

/**
 * A form that the values of a topic have.
 *
 * @param which of the records have it, in words
 * @param schema file of the JSON Schema, in the client's jar under {@link #FOLDER}; null where any bytes may stand, or
 *     none
 * @param meaning what it is
 */
public record TopicValue(String which, @Nullable String schema, String meaning) {
    /** Where the schemas are on the class path. */
    public static final String FOLDER = "/io/sluice/client/schemas/";
}
