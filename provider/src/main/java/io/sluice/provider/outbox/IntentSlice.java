package io.sluice.provider.outbox;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some undelivered intents of a source: after the intents of the slices before it, and before all others.
 *
 * @param intents in {@link Intent#DELIVERY_ORDER}; none when the first of what is left are large and come with the next
 *     slice
 * @param malformed how many more documents among them say that they are undelivered intents and can't be read
 * @param next where the next slice begins; null when this is the last
 */
public record IntentSlice(
        List<Intent> intents, int malformed, @Nullable Place next) {
    public IntentSlice {
        intents = List.copyOf(intents);
    }

    /** A place in the order of delivery. Immutable. */
    public static final class Place {
        private final double createdAt;
        private final @Nullable String id;
        private final List<ObjectNode> ahead;
        private final @Nullable Place then;

        private Place(double createdAt, @Nullable String id, List<ObjectNode> ahead, @Nullable Place then) {
            this.createdAt = createdAt;
            this.id = id;
            this.ahead = List.copyOf(ahead);
            this.then = then;
        }

        /**
         * Behind an intent.
         *
         * @param createdAt of the turn before it, as the store compares numbers; of a document that keeps no rules it
         *     need not be whole
         * @param id of the intent document before it, in the middle of that turn; null behind all of the turn
         */
        public static Place behind(double createdAt, @Nullable String id) {
            return new Place(createdAt, id, List.of(), null);
        }

        /** Before rows that were read and not given out yet, and what comes behind them. */
        static Place before(List<ObjectNode> rows, @Nullable Place then) {
            return new Place(0, null, rows, then);
        }

        double createdAt() {
            return createdAt;
        }

        /** The intent document before it; null behind all of a turn. */
        public @Nullable String id() {
            return id;
        }

        List<ObjectNode> ahead() {
            return ahead;
        }

        @Nullable
        Place then() {
            return then;
        }

        /**
         * How many bytes the large documents of the next slice take at most; 0 when only small ones are known so far.
         */
        public long bytes() {
            return SliceRows.bytes(SliceRows.next(ahead));
        }
    }
}
