package io.sluice.emulator.store.item;

import java.nio.ByteBuffer;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/** {@link StoredItem} in the store's pages. */
public final class StoredItemType extends BasicDataType<StoredItem> {
    public static final StoredItemType INSTANCE = new StoredItemType();
    private static final int OBJECT_BYTES = 300;
    private static final int NO_TTL = 0;

    private StoredItemType() {}

    @Override
    public int getMemory(StoredItem item) {
        return OBJECT_BYTES + item.sizeBytes();
    }

    @Override
    public void write(WriteBuffer out, StoredItem item) {
        ItemKeyType.INSTANCE.write(out, item.key());
        var version = item.version();
        out.putVarLong(item.number());
        FeedPositionType.INSTANCE.write(out, version.position());
        out.putVarLong(version.timestampSeconds());
        var ttl = item.ttlSeconds();
        out.putInt(ttl == null ? NO_TTL : ttl);
        out.putVarInt(item.sizeBytes()).put(item.json());
    }

    @Override
    public StoredItem read(ByteBuffer in) {
        var key = ItemKeyType.INSTANCE.read(in);
        long number = DataUtils.readVarLong(in);
        var position = FeedPositionType.INSTANCE.read(in);
        var version = new StoredItem.Version(position, DataUtils.readVarLong(in));
        int ttl = in.getInt();
        var json = new byte[DataUtils.readVarInt(in)];
        in.get(json);
        return new StoredItem(key, number, version, ttl == NO_TTL ? null : ttl, json);
    }

    @Override
    public StoredItem[] createStorage(int size) {
        return new StoredItem[size];
    }
}
