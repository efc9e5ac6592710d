package io.sluice.emulator.store;

import java.nio.ByteBuffer;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;
import org.h2.mvstore.type.StringDataType;

/** {@link TypedNumber} in the store's pages. */
final class TypedNumberType extends BasicDataType<TypedNumber> {
    static final TypedNumberType INSTANCE = new TypedNumberType();
    private static final int OBJECT_BYTES = 48;

    private TypedNumberType() {}

    @Override
    public int compare(TypedNumber a, TypedNumber b) {
        return a.compareTo(b);
    }

    @Override
    public int getMemory(TypedNumber entry) {
        return OBJECT_BYTES + 2 * entry.type().length();
    }

    @Override
    public void write(WriteBuffer out, TypedNumber entry) {
        StringDataType.INSTANCE.write(out, entry.type());
        out.putVarLong(entry.number());
    }

    @Override
    public TypedNumber read(ByteBuffer in) {
        var type = StringDataType.INSTANCE.read(in);
        return new TypedNumber(type, DataUtils.readVarLong(in));
    }

    @Override
    public TypedNumber[] createStorage(int size) {
        return new TypedNumber[size];
    }
}
