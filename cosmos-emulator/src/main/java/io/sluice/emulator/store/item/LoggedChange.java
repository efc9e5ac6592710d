package io.sluice.emulator.store.item;

import org.jspecify.annotations.Nullable;

/**
 * One change of an item, for the change feed of all versions and deletes.
 *
 * @param kind of the change
 * @param position in the feed
 * @param timestampSeconds when, in seconds since 1970
 * @param previousLsn the log sequence number of the version before, 0 for none
 * @param item the version that was written; of a deletion the last one there was
 */
public record LoggedChange(Kind kind, FeedPosition position, long timestampSeconds, long previousLsn, StoredItem item)
        implements FeedEntry {
    /** What happened to an item. */
    public enum Kind {
        /** It was created. */
        CREATE(1, "create", false),
        /** It got another version. */
        REPLACE(2, "replace", false),
        /** It was deleted. */
        DELETE(3, "delete", true),
        /** Its time to live ended. */
        EXPIRE(4, "delete", true);

        private final int code;
        private final String wireName;
        private final boolean removal;

        Kind(int code, String wireName, boolean removal) {
            this.code = code;
            this.wireName = wireName;
            this.removal = removal;
        }

        /** Its code on the disk. */
        int code() {
            return code;
        }

        static Kind of(int code) {
            for (var kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            throw new IllegalStateException("The store has a change of an unknown kind: " + code);
        }

        /** Its name in the feed's metadata. */
        public String wireName() {
            return wireName;
        }

        /** Whether the item is gone. */
        public boolean isRemoval() {
            return removal;
        }
    }

    /** A creation or replacement. */
    public static LoggedChange written(@Nullable StoredItem before, StoredItem after) {
        return new LoggedChange(
                before == null ? Kind.CREATE : Kind.REPLACE,
                after.version().position(),
                after.timestampSeconds(),
                before == null ? 0 : before.lsn(),
                after);
    }

    /** A deletion or expiry of the last version. */
    public static LoggedChange removed(Kind kind, FeedPosition position, long timestampSeconds, StoredItem last) {
        return new LoggedChange(kind, position, timestampSeconds, last.lsn(), last);
    }

    /** The log sequence number of the transaction that changed it. */
    @Override
    public long lsn() {
        return position.lsn();
    }
}
