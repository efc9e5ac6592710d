package io.sluice.provider.json;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.io.IOException;
import java.util.Arrays;

/** A value without an object of its own: its fields are written into the object of the record that contains it. */
interface FieldGroup {
    /** Whether a type is such a value: a choice of records that one field names, or a record with unknown fields. */
    static boolean isGroup(Class<?> type) {
        return type.isAnnotationPresent(JsonTypeInfo.class)
                || (type.isRecord()
                        && Arrays.stream(type.getRecordComponents())
                                .anyMatch(field -> field.getAccessor().isAnnotationPresent(JsonAnyGetter.class)));
    }

    /** The fields of a record, or of a choice of records. */
    static FieldGroup of(Class<?> type) {
        return type.isRecord() ? new RecordFields<>(type) : new VariantTable<>(type);
    }

    /** Takes the fields of a value. */
    Object readFields(JsonFields from);

    /** Writes the fields of a value into the object that is open. */
    void writeFields(JsonOutput out, Object value) throws IOException;
}
