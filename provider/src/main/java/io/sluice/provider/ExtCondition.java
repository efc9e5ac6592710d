package io.sluice.provider;

import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a field of an instance's {@link InstanceExt} must be. An instance whose object has no such field, or one of
 * another type, does not satisfy it; nor does an instance without object.
 */
public sealed interface ExtCondition {
    /** What names of fields may be: a letter or underscore, then at most 63 letters, digits and underscores. */
    Pattern FIELD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");

    /** Most values of one condition. */
    int MAX_VALUES = 100;

    /** The field of the object, on its outermost level. */
    String field();

    /**
     * The field is one of these texts.
     *
     * @param values at least one, at most {@value ExtCondition#MAX_VALUES}
     */
    record OneOf(String field, List<String> values) implements ExtCondition {
        public OneOf {
            requireField(field);
            values = List.copyOf(values);
            if (values.isEmpty() || values.size() > MAX_VALUES) {
                throw new IllegalArgumentException(
                        "values of ext field '" + field + "' must be 1 to " + MAX_VALUES + ", were " + values.size());
            }
        }
    }

    /**
     * The field is a number within these bounds, both included; for times in milliseconds since the epoch, such as that
     * of completion.
     *
     * @param least null for any
     * @param most null for any; with both null, the field must be a number
     */
    record Between(
            String field, @Nullable Long least, @Nullable Long most) implements ExtCondition {
        public Between {
            requireField(field);
        }
    }

    private static void requireField(String field) {
        if (!FIELD.matcher(Objects.requireNonNull(field, "field")).matches()) {
            throw new IllegalArgumentException(
                    "field of ext must be 1 to 64 letters, digits and underscores, no digit first; was '" + field
                            + "'");
        }
    }
}
