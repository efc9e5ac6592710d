package io.sluice.emulator.store.disk;

import io.sluice.emulator.store.item.ItemKey;
import io.sluice.emulator.store.item.ItemKeyType;
import io.sluice.emulator.store.item.LoggedChange;
import io.sluice.emulator.store.item.LoggedChangeType;
import io.sluice.emulator.store.item.StoredItem;
import io.sluice.emulator.store.item.StoredItemType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.StringDataType;
import org.jspecify.annotations.Nullable;

/**
 * One transaction of a physical partition, complete enough to repeat it.
 *
 * @param partition the prefix of its maps' names
 * @param lsn of the transaction
 * @param nextNumber of the partition's next item
 * @param writes the new version of each item
 * @param log for the change feed of all versions, empty when the container does not keep them
 */
public record JournalEntry(String partition, long lsn, long nextNumber, List<Write> writes, List<LoggedChange> log) {
    private static final byte STORED = 1;
    private static final byte REMOVED = 0;

    /** Copies the lists. */
    public JournalEntry {
        writes = List.copyOf(writes);
        log = List.copyOf(log);
    }

    /**
     * The write of an item.
     *
     * @param key of the item
     * @param after the version to store, null when it is removed
     */
    public record Write(ItemKey key, @Nullable StoredItem after) {}

    void write(WriteBuffer out) {
        StringDataType.INSTANCE.write(out, partition);
        out.putVarLong(lsn).putVarLong(nextNumber).putVarInt(writes.size());
        for (var write : writes) {
            var after = write.after();
            out.put(after == null ? REMOVED : STORED);
            if (after == null) {
                ItemKeyType.INSTANCE.write(out, write.key());
            } else {
                StoredItemType.INSTANCE.write(out, after);
            }
        }
        out.putVarInt(log.size());
        log.forEach(change -> LoggedChangeType.INSTANCE.write(out, change));
    }

    static JournalEntry decode(ByteBuffer in) {
        var partition = StringDataType.INSTANCE.read(in);
        long lsn = DataUtils.readVarLong(in);
        long nextNumber = DataUtils.readVarLong(in);
        var writes = new ArrayList<Write>();
        for (int i = DataUtils.readVarInt(in); i > 0; i--) {
            writes.add(in.get() == STORED ? stored(in) : new Write(ItemKeyType.INSTANCE.read(in), null));
        }
        var log = new ArrayList<LoggedChange>();
        for (int i = DataUtils.readVarInt(in); i > 0; i--) {
            log.add(LoggedChangeType.INSTANCE.read(in));
        }
        return new JournalEntry(partition, lsn, nextNumber, writes, log);
    }

    private static Write stored(ByteBuffer in) {
        var item = StoredItemType.INSTANCE.read(in);
        return new Write(item.key(), item);
    }
}
