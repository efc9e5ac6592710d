package io.sluice.provider.json;

import java.io.IOException;

/** What is written as fields of an object that has others too. */
interface FieldGroup {
    /** The one of a record, or of a choice of records that one of the fields names. */
    static FieldGroup of(Class<?> type) {
        return type.isRecord() ? new RecordFields<>(type) : new VariantTable<>(type);
    }

    /** Takes the fields of a value. */
    Object readFields(JsonFields from);

    /** Writes the fields of a value into the object that is open. */
    void writeFields(JsonOutput out, Object value) throws IOException;
}
