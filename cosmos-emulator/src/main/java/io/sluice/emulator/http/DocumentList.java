package io.sluice.emulator.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** The body of a page: {@code {"_rid", "Documents": […], "_count"}}, put together from documents that are JSON already. */
final class DocumentList {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int count;
    private long sizeBytes;

    DocumentList(String rid) {
        write("{\"_rid\":\"" + rid + "\",\"Documents\":[");
    }

    void add(byte[] json) {
        if (count++ > 0) {
            out.write(',');
        }
        out.writeBytes(json);
        sizeBytes += json.length;
    }

    int count() {
        return count;
    }

    long sizeBytes() {
        return sizeBytes;
    }

    WireAnswer answer() {
        write("],\"_count\":" + count + "}");
        return WireAnswer.json(200, out.toByteArray())
                .header(Headers.ITEM_COUNT, Integer.toString(count))
                .items(count);
    }

    private void write(String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
