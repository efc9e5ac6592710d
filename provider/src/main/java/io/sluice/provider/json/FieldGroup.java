package io.sluice.provider.json;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.io.IOException;
import java.util.Arrays;

/** What is written as fields of an object that has others too. */
interface FieldGroup {
    /** Whether the fields of a type stand among those of the record that has it: a tagged choice, or unknown fields. */
    static boolean isGroup(Class<?> type) {
        return type.isAnnotationPresent(JsonTypeInfo.class)
                || (type.isRecord()
                        && Arrays.stream(type.getRecordComponents())
                                .anyMatch(field -> field.getAccessor().isAnnotationPresent(JsonAnyGetter.class)));
    }

    /** The one of a record, or of a choice of records that one of the fields names. */
    static FieldGroup of(Class<?> type) {
        return type.isRecord() ? new RecordFields<>(type) : new VariantTable<>(type);
    }

    /** Takes the fields of a value. */
    Object readFields(JsonFields from);

    /** Writes the fields of a value into the object that is open. */
    void writeFields(JsonOutput out, Object value) throws IOException;
}
