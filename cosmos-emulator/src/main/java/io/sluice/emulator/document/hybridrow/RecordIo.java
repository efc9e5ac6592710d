package io.sluice.emulator.document.hybridrow;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * A sequence of records: the header of a segment, and each record behind a header with its length and CRC-32. The
 * headers are rows themselves.
 */
final class RecordIo {
    private static final int SEGMENT = 2_147_473_648;
    private static final int SEGMENT_BYTES = 10;
    private static final int RECORD = 2_147_473_649;
    private static final int ALL_SET = 1;

    private RecordIo() {}

    /** The records, each as the part of the body between its buffer's position and limit. */
    static List<ByteBuffer> read(byte[] body) {
        var in = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
        var records = new ArrayList<ByteBuffer>();
        boolean inSegment = false;
        try {
            while (in.hasRemaining()) {
                int at = in.position();
                int schema = RowSchema.readHeader(in);
                if (schema == SEGMENT) {
                    skipSegment(in, at);
                    inSegment = true;
                } else if (schema == RECORD && inSegment) {
                    records.add(record(in));
                } else {
                    var expected = inSegment ? "a record" : "a segment";
                    throw HybridRow.invalid(at, "expected " + expected + ", found schema " + schema);
                }
            }
        } catch (BufferUnderflowException e) {
            throw HybridRow.invalid(body.length, "it ends within the header of a segment or record");
        }
        return records;
    }

    static byte[] write(List<byte[]> records) {
        var out = new RowBytes();
        RowSchema.writeHeader(out, SEGMENT);
        out.int8(ALL_SET).int32(SEGMENT_BYTES);
        for (byte[] record : records) {
            RowSchema.writeHeader(out, RECORD);
            out.int32(record.length).int32(checksum(ByteBuffer.wrap(record))).bytes(record);
        }
        return out.toArray();
    }

    /** Past its header, in which there may be a comment and a schema; its length counts from its first byte. */
    private static void skipSegment(ByteBuffer in, int from) {
        in.get();
        int length = in.getInt();
        if (length < SEGMENT_BYTES || length > in.limit() - from) {
            throw HybridRow.invalid(from, "the header of a segment has the wrong length " + length);
        }
        in.position(from + length);
    }

    private static ByteBuffer record(ByteBuffer in) {
        int length = in.getInt();
        int checksum = in.getInt();
        int at = in.position();
        if (length < 0 || length > in.remaining()) {
            throw HybridRow.invalid(
                    at, "the length of a record is " + length + ", but " + in.remaining() + " bytes follow");
        }
        var record = in.duplicate().order(in.order()).limit(at + length);
        if (checksum(record.duplicate()) != checksum) {
            throw HybridRow.invalid(at, "the CRC-32 of a record is wrong");
        }
        in.position(at + length);
        return record;
    }

    private static int checksum(ByteBuffer record) {
        var crc = new CRC32();
        crc.update(record);
        return (int) crc.getValue();
    }
}
