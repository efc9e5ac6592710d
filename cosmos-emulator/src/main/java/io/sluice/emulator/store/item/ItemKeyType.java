package io.sluice.emulator.store.item;

import java.nio.ByteBuffer;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;
import org.h2.mvstore.type.StringDataType;

/** {@link ItemKey} in the store's pages. */
public final class ItemKeyType extends BasicDataType<ItemKey> {
    public static final ItemKeyType INSTANCE = new ItemKeyType();
    private static final int OBJECT_BYTES = 64;

    private ItemKeyType() {}

    @Override
    public int compare(ItemKey a, ItemKey b) {
        return a.compareTo(b);
    }

    @Override
    public int getMemory(ItemKey key) {
        return OBJECT_BYTES
                + 2
                        * (key.effectiveKey().length()
                                + key.partitionKey().length()
                                + key.id().length());
    }

    @Override
    public void write(WriteBuffer out, ItemKey key) {
        StringDataType.INSTANCE.write(out, key.effectiveKey());
        StringDataType.INSTANCE.write(out, key.partitionKey());
        StringDataType.INSTANCE.write(out, key.id());
    }

    @Override
    public ItemKey read(ByteBuffer in) {
        var effectiveKey = StringDataType.INSTANCE.read(in);
        var partitionKey = StringDataType.INSTANCE.read(in);
        return new ItemKey(effectiveKey, partitionKey, StringDataType.INSTANCE.read(in));
    }

    @Override
    public ItemKey[] createStorage(int size) {
        return new ItemKey[size];
    }
}
