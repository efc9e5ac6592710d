package io.sluice.provider.document;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a queue document that must be right for it to be taken, and what each may hold: as a check of a
 * document that was read, and as a condition of a query. All of them are among the columns of a search. Other fields
 * are not read, or are overwritten by the lock.
 */
public enum QueueField {
    /** The instance, and so the partition. */
    INSTANCE_ID(Fields.INSTANCE_ID, Shape.TEXT, true),
    /** Milliseconds. */
    VISIBLE_AT(Fields.VISIBLE_AT, Shape.NUMBER, true),
    /** Milliseconds. */
    ENQUEUED_AT(Fields.ENQUEUED_AT, Shape.NUMBER, true),
    /** The lock adds to it, which the service refuses where it is no number. */
    ATTEMPT_COUNT(Fields.ATTEMPT_COUNT, Shape.NUMBER_OR_MISSING, true),
    /** Of activities. */
    EXECUTION_ID(Fields.EXECUTION_ID, Shape.NUMBER_OR_NULL, false),
    /** Of activities. */
    ACTIVITY_ID("activityId", Shape.NUMBER_OR_NULL, false),
    /** Of activities. */
    SESSION_ID(Fields.SESSION_ID, Shape.TEXT_OR_NULL, false),
    /** Of activities. */
    TAG("tag", Shape.TEXT_OR_NULL, false);

    private static final long MOST_ATTEMPTS = 1_000_000_000;

    private final String field;
    private final Shape shape;
    private final boolean ofMessages;

    QueueField(String field, Shape shape, boolean ofMessages) {
        this.field = field;
        this.shape = shape;
        this.ofMessages = ofMessages;
    }

    private enum Shape {
        TEXT("a text", false, false),
        TEXT_OR_NULL("a text or null", true, true),
        NUMBER("a number", false, false),
        NUMBER_OR_NULL("a number or null", true, true),
        NUMBER_OR_MISSING("a number or missing", true, false);

        private final String words;
        private final boolean mayLack;
        private final boolean mayBeNull;

        Shape(String words, boolean mayLack, boolean mayBeNull) {
            this.words = words;
            this.mayLack = mayLack;
            this.mayBeNull = mayBeNull;
        }

        boolean isText() {
            return this == TEXT || this == TEXT_OR_NULL;
        }
    }

    /**
     * A fault of a document.
     *
     * @param reason without its content
     */
    public record Fault(String field, String reason) {}

    /** The first thing wrong with a document of this type, if anything is. */
    public static Optional<Fault> fault(JsonNode document, DocumentType type) {
        return of(type).flatMap(field -> Optional.ofNullable(field.wrong(document)).stream())
                .findFirst();
    }

    /** A query's condition on {@code c} that every document of this type meets, unless it has a fault. */
    public static String condition(DocumentType type) {
        return of(type).map(QueueField::condition).collect(Collectors.joining(" AND "));
    }

    private static Stream<QueueField> of(DocumentType type) {
        return Stream.of(values()).filter(field -> field.ofMessages || type == DocumentType.WORKER_QUEUE);
    }

    private @Nullable Fault wrong(JsonNode document) {
        JsonNode value = document.get(field);
        boolean isLacking = value == null || value.isNull();
        if (isLacking && (value == null ? shape.mayLack : shape.mayBeNull)) {
            return null;
        }
        if (value == null || (shape.isText() ? !value.isTextual() : !value.isNumber())) {
            String was = value == null ? "missing" : DocumentJson.typeOf(value);
            return new Fault(field, "must be " + shape.words + ", was " + was);
        }
        return shape.isText() || isWithin(value)
                ? null
                : new Fault(field, "must be at most " + most() + " either way, was " + value.numberValue());
    }

    /** The nearest double of a whole number may be within where the number is not. */
    private boolean isWithin(JsonNode number) {
        return (number.isIntegralNumber() && number.canConvertToLong())
                ? number.longValue() >= -most() && number.longValue() <= most()
                : Math.abs(number.doubleValue()) <= most();
    }

    private long most() {
        return this == ATTEMPT_COUNT ? MOST_ATTEMPTS : DocumentNumbers.MOST;
    }

    private String condition() {
        String path = "c." + field;
        String is = shape.isText()
                ? "IS_STRING(" + path + ")"
                : "(IS_NUMBER(" + path + ") AND " + path + " >= -" + most() + " AND " + path + " <= " + most() + ")";
        String lacking = (shape.mayLack ? "NOT IS_DEFINED(" + path + ") OR " : "")
                + (shape.mayBeNull ? "IS_NULL(" + path + ") OR " : "");
        return lacking.isEmpty() ? is : "(" + lacking + is + ")";
    }
}
