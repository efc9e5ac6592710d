package io.sluice.emulator.store.index;

import java.nio.ByteBuffer;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/** {@link IndexEntry} in a map that stays in memory. */
final class IndexEntryType extends BasicDataType<IndexEntry> {
    static final IndexEntryType INSTANCE = new IndexEntryType();

    private IndexEntryType() {}

    @Override
    public int compare(IndexEntry a, IndexEntry b) {
        return a.compareTo(b);
    }

    @Override
    public int getMemory(IndexEntry entry) {
        return entry.memory();
    }

    @Override
    public void write(WriteBuffer out, IndexEntry entry) {
        throw new UnsupportedOperationException("Indexes are not stored.");
    }

    @Override
    public IndexEntry read(ByteBuffer in) {
        throw new UnsupportedOperationException("Indexes are not stored.");
    }

    @Override
    public IndexEntry[] createStorage(int size) {
        return new IndexEntry[size];
    }
}
