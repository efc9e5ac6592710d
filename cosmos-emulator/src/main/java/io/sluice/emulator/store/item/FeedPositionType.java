package io.sluice.emulator.store.item;

import java.nio.ByteBuffer;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/** {@link FeedPosition} in the store's pages. */
public final class FeedPositionType extends BasicDataType<FeedPosition> {
    public static final FeedPositionType INSTANCE = new FeedPositionType();
    private static final int OBJECT_BYTES = 32;

    private FeedPositionType() {}

    @Override
    public int compare(FeedPosition a, FeedPosition b) {
        return a.compareTo(b);
    }

    @Override
    public int getMemory(FeedPosition position) {
        return OBJECT_BYTES;
    }

    @Override
    public void write(WriteBuffer out, FeedPosition position) {
        out.putVarLong(position.lsn()).putVarInt(position.origin()).putVarInt(position.ordinal());
    }

    @Override
    public FeedPosition read(ByteBuffer in) {
        long lsn = DataUtils.readVarLong(in);
        int origin = DataUtils.readVarInt(in);
        return new FeedPosition(lsn, origin, DataUtils.readVarInt(in));
    }

    @Override
    public FeedPosition[] createStorage(int size) {
        return new FeedPosition[size];
    }
}
