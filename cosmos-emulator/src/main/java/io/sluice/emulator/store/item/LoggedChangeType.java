package io.sluice.emulator.store.item;

import java.nio.ByteBuffer;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/** {@link LoggedChange} in the store's pages. */
public final class LoggedChangeType extends BasicDataType<LoggedChange> {
    public static final LoggedChangeType INSTANCE = new LoggedChangeType();
    private static final int OBJECT_BYTES = 80;

    private LoggedChangeType() {}

    @Override
    public int getMemory(LoggedChange change) {
        return OBJECT_BYTES + StoredItemType.INSTANCE.getMemory(change.item());
    }

    @Override
    public void write(WriteBuffer out, LoggedChange change) {
        out.put((byte) change.kind().code());
        FeedPositionType.INSTANCE.write(out, change.position());
        out.putVarLong(change.timestampSeconds()).putVarLong(change.previousLsn());
        StoredItemType.INSTANCE.write(out, change.item());
    }

    @Override
    public LoggedChange read(ByteBuffer in) {
        var kind = LoggedChange.Kind.of(in.get());
        var position = FeedPositionType.INSTANCE.read(in);
        long timestampSeconds = DataUtils.readVarLong(in);
        long previousLsn = DataUtils.readVarLong(in);
        return new LoggedChange(kind, position, timestampSeconds, previousLsn, StoredItemType.INSTANCE.read(in));
    }

    @Override
    public LoggedChange[] createStorage(int size) {
        return new LoggedChange[size];
    }
}
