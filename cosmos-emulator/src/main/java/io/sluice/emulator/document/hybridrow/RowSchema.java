package io.sluice.emulator.document.hybridrow;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The columns of a row, and so its layout: a header; a bit for each fixed and variable column, whether it is set; the
 * fixed columns, set or not; the variable columns that are set; and sparse columns, each behind its type and number.
 * Columns are numbered from 1, in this order.
 */
final class RowSchema {
    /** One operation of a batch. */
    static final RowSchema OPERATION = new RowSchema(
            2_145_473_648,
            List.of(new Column("operationType", ColumnType.INT32), new Column("resourceType", ColumnType.INT32)),
            List.of(
                    new Column("partitionKey", ColumnType.UTF8),
                    new Column("effectivePartitionKey", ColumnType.BINARY),
                    new Column("id", ColumnType.UTF8),
                    new Column("binaryId", ColumnType.BINARY),
                    new Column("resourceBody", ColumnType.BINARY)),
            List.of(
                    new Column("indexingDirective", ColumnType.UTF8),
                    new Column("ifMatch", ColumnType.UTF8),
                    new Column("ifNoneMatch", ColumnType.UTF8),
                    new Column("timeToLiveInSeconds", ColumnType.INT32),
                    new Column("minimalReturnPreference", ColumnType.TRUE)));

    /** What came of one. */
    static final RowSchema RESULT = new RowSchema(
            2_145_473_649,
            List.of(new Column("statusCode", ColumnType.INT32), new Column("subStatusCode", ColumnType.INT32)),
            List.of(new Column("eTag", ColumnType.UTF8), new Column("resourceBody", ColumnType.BINARY)),
            List.of(
                    new Column("retryAfterMilliseconds", ColumnType.UINT32),
                    new Column("requestCharge", ColumnType.FLOAT64)));

    private record Column(String name, ColumnType type) {}

    private final int id;
    private final int fixed;
    private final int placed;
    private final List<Column> columns = new ArrayList<>();

    private RowSchema(int id, List<Column> fixed, List<Column> variable, List<Column> sparse) {
        this.id = id;
        this.fixed = fixed.size();
        this.placed = fixed.size() + variable.size();
        columns.addAll(fixed);
        columns.addAll(variable);
        columns.addAll(sparse);
    }

    /** The schema that the row at a place has. */
    static int readHeader(ByteBuffer in) {
        int at = in.position();
        if ((in.get() & 0xFF) != HybridRow.FIRST_BYTE) {
            throw HybridRow.invalid(at, "expected a row, which begins with 81");
        }
        return in.getInt();
    }

    static void writeHeader(RowBytes out, int schema) {
        out.int8(HybridRow.FIRST_BYTE).int32(schema);
    }

    /** A row that fills a buffer. A column that occurs twice has its last value. */
    ObjectNode read(ByteBuffer in) {
        try {
            return readColumns(in);
        } catch (BufferUnderflowException e) {
            throw HybridRow.invalid(in.limit(), "a row ends within a column");
        }
    }

    private ObjectNode readColumns(ByteBuffer in) {
        int at = in.position();
        int schema = readHeader(in);
        if (schema != id) {
            throw HybridRow.invalid(at, "expected schema " + id + ", found " + schema);
        }
        var isSet = new byte[bitBytes()];
        in.get(isSet);
        var row = Json.object();
        for (int i = 0; i < placed; i++) {
            boolean set = (isSet[i / Byte.SIZE] >> i % Byte.SIZE & 1) == 1;
            if (set) {
                row.set(columns.get(i).name(), columns.get(i).type().read(in));
            } else if (i < fixed) {
                columns.get(i).type().read(in);
            }
        }
        while (in.hasRemaining()) {
            readSparse(in, row);
        }
        return row;
    }

    byte[] write(ObjectNode row) {
        var out = new RowBytes();
        writeHeader(out, id);
        var isSet = new byte[bitBytes()];
        for (int i = 0; i < placed; i++) {
            isSet[i / Byte.SIZE] |= (byte) (row.has(columns.get(i).name()) ? 1 << i % Byte.SIZE : 0);
        }
        out.bytes(isSet);
        for (int i = 0; i < columns.size(); i++) {
            var column = columns.get(i);
            boolean set = row.has(column.name());
            var value = row.path(column.name());
            if (i >= placed && set) {
                out.int8(column.type().codeOf(value)).varUInt(i + 1);
            }
            if (i < fixed || set) {
                column.type().write(value, out);
            }
        }
        return out.toArray();
    }

    private void readSparse(ByteBuffer in, ObjectNode row) {
        int at = in.position();
        int code = in.get() & 0xFF;
        long number = RowBytes.varUInt(in);
        if (number <= placed || number > columns.size()) {
            throw HybridRow.invalid(at, "there is no sparse column " + number);
        }
        var column = columns.get((int) number - 1);
        var type = column.type().ofCode(code);
        if (type == null) {
            throw HybridRow.invalid(at, "the column " + column.name() + " can't have the type " + code);
        }
        row.set(column.name(), type.read(in));
    }

    private int bitBytes() {
        return (placed + Byte.SIZE - 1) / Byte.SIZE;
    }
}
