package io.sluice.emulator.store.item;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** One version of an item. Immutable: the document is parsed once and shared, so it must not be changed. */
public final class StoredItem implements FeedEntry {
    private final ItemKey key;
    private final long number;
    private final Version version;
    private final @Nullable Integer ttlSeconds;
    private final byte[] json;
    private volatile @Nullable ObjectNode document;

    /**
     * What changes with every write.
     *
     * @param position in the change feed: transaction and write within it
     * @param timestampSeconds when, in seconds since 1970
     */
    public record Version(FeedPosition position, long timestampSeconds) {
        private static final int LOW_DIGITS_BITS = 16;

        /** As it travels, with its quotes. Never the same twice: it says transaction, partition and write. */
        public String etag() {
            var digits = HexFormat.of();
            return "\"" + digits.toHexDigits(timestampSeconds, 8) + "-" + digits.toHexDigits(position.origin(), 4) + "-"
                    + digits.toHexDigits(position.ordinal(), 4) + "-"
                    + digits.toHexDigits(position.ordinal() >>> LOW_DIGITS_BITS, 4) + "-"
                    + digits.toHexDigits(position.lsn(), 12) + "\"";
        }
    }

    /**
     * @param number the item's place in the order of creation within its physical partition
     * @param ttlSeconds the item's own time to live, -1 for never, null when it has none
     * @param json the whole document with its system properties
     */
    public StoredItem(ItemKey key, long number, Version version, @Nullable Integer ttlSeconds, byte[] json) {
        this.key = key;
        this.number = number;
        this.version = version;
        this.ttlSeconds = ttlSeconds;
        this.json = json;
    }

    /** The item's place in the order of creation within its physical partition. */
    public long number() {
        return number;
    }

    /** The item's id. */
    public String id() {
        return key.id();
    }

    /** Its place in the key space. */
    public String effectiveKey() {
        return key.effectiveKey();
    }

    /** The text of its partition key. */
    public String partitionKey() {
        return key.partitionKey();
    }

    /** The log sequence number of the transaction that wrote this version. */
    @Override
    public long lsn() {
        return version.position().lsn();
    }

    /** When this version was written, in seconds since 1970. */
    @Override
    public long timestampSeconds() {
        return version.timestampSeconds();
    }

    @Override
    public StoredItem item() {
        return this;
    }

    /** The ETag of this version, with its quotes. */
    public String etag() {
        return version.etag();
    }

    /** The size of the document in bytes. */
    public int sizeBytes() {
        return json.length;
    }

    /** The document as UTF-8 JSON, with its system properties. Not to be changed. */
    public byte[] json() {
        return json;
    }

    /** The document as the change feed shows it, with {@code _lsn}. */
    public byte[] jsonWithLsn() {
        var lsn = (",\"_lsn\":" + lsn() + "}").getBytes(StandardCharsets.UTF_8);
        var all = new byte[json.length - 1 + lsn.length];
        System.arraycopy(json, 0, all, 0, json.length - 1);
        System.arraycopy(lsn, 0, all, json.length - 1, lsn.length);
        return all;
    }

    /** The parsed document, which is shared: copy it before you change it. */
    public ObjectNode document() {
        var parsed = document;
        if (parsed == null) {
            parsed = Json.readObject(json);
            document = parsed;
        }
        return parsed;
    }

    /** The key in the store. */
    public ItemKey key() {
        return key;
    }

    /** What changed with the last write. */
    public Version version() {
        return version;
    }

    /** The item's own time to live in seconds, -1 for never, null for none. */
    @Nullable
    public Integer ttlSeconds() {
        return ttlSeconds;
    }

    /** Keeps the parsed document, when it will be needed soon. */
    public void remember(ObjectNode parsed) {
        document = parsed;
    }
}
