package io.sluice.relay.verify;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong with the history topic.
 *
 * @param kind what
 * @param instance whose history; null when the record does not say
 * @param id of the event or the deletion; null when the record has none
 * @param partition of the history topic where it is; null for what is not there
 * @param offset in that partition; null for what is not there
 * @param detail further facts, for people
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Finding(
        Kind kind,
        @Nullable String instance,
        @Nullable String id,
        @Nullable Integer partition,
        @Nullable Long offset,
        String detail) {
    /** What somebody else wrote must not make lines of its own. */
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    /** What can be wrong. */
    public enum Kind {
        /** The store has the event, the relay is past it, and the topic has no record of it. */
        LOST,
        /** The topic has it more than once. */
        TWICE,
        /** The record has another value or key than its event. */
        ALTERED,
        /** It stands behind a later event of the same history. */
        OUT_OF_ORDER,
        /** The record is neither an event nor a deletion: somebody else than a relay wrote it. */
        FOREIGN;

        /** As reports name it. */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    static Finding lost(StoredEntry event) {
        return new Finding(
                Kind.LOST,
                event.id().instance(),
                event.id().toString(),
                null,
                null,
                "written at " + Instant.ofEpochSecond(event.writtenSecond()));
    }

    static Finding at(Kind kind, PublishedEntry entry, String detail) {
        return new Finding(kind, entry.instance(), entry.ceId(), entry.partition(), entry.offset(), detail);
    }

    @Override
    public String toString() {
        return kind.text() + ": "
                + (id == null ? "a record without ce_id" : CONTROL.matcher(id).replaceAll("?"))
                + (partition == null ? "" : " at " + partition + "@" + offset)
                + (detail.isEmpty() ? "" : " (" + detail + ")");
    }
}
