package io.sluice.emulator.http.message;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * The body of a page, {@code {"_rid", "Documents": […], "_count"}}, built from documents that are JSON already. Used by
 * one thread.
 */
public final class DocumentPage {
    private static final List<String> TIMES = List.of(
            "totalExecutionTimeInMs",
            "queryCompileTimeInMs",
            "queryLogicalPlanBuildTimeInMs",
            "queryPhysicalPlanBuildTimeInMs",
            "queryOptimizationTimeInMs",
            "VMExecutionTimeInMs",
            "indexLookupTimeInMs",
            "documentLoadTimeInMs",
            "systemFunctionExecuteTimeInMs",
            "userFunctionExecuteTimeInMs",
            "writeOutputTimeInMs");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int count;
    private long sizeBytes;
    private long read;
    private long readBytes;
    private long asked;

    /** @param rid the resource id of the container */
    public DocumentPage(String rid) {
        write("{\"_rid\":\"" + rid + "\",\"Documents\":[");
    }

    /** Adds a document. */
    public void add(byte[] json) {
        if (count++ > 0) {
            out.write(',');
        }
        out.writeBytes(json);
        sizeBytes += json.length;
    }

    /** Counts an item that was read, whether or not it gave a result. */
    public void countRead(int bytes) {
        read++;
        readBytes += bytes;
    }

    /** Counts an item that the service would have had to read, and that is no document of the page. */
    public void countAsked() {
        asked++;
    }

    /** How many items the service would have had to read that are no documents of the page. */
    public long asked() {
        return asked;
    }

    /** The size of these in bytes, as if they were as large as those that were read on average. */
    public long askedBytes() {
        return read == 0 ? 0 : asked * readBytes / read;
    }

    /** How many items were read for the page. */
    public long read() {
        return read;
    }

    /**
     * The query metrics: how much was read and returned. Times are not measured and stay 0.
     *
     * @param indexOnly whether the service would have read no document
     */
    public String metrics(boolean indexOnly) {
        var metrics = new StringJoiner(";");
        TIMES.forEach(time -> metrics.add(time + "=0.00"));
        return metrics.add("retrievedDocumentCount=" + (indexOnly ? 0 : read))
                .add("retrievedDocumentSize=" + (indexOnly ? 0 : readBytes))
                .add("outputDocumentCount=" + count)
                .add("outputDocumentSize=" + sizeBytes)
                .add("indexUtilizationRatio=" + (read == 0 || indexOnly ? "1.00" : ratio((double) count / read)))
                .toString();
    }

    private static String ratio(double value) {
        return String.format(Locale.ROOT, "%.2f", Math.min(1, value));
    }

    /** How many documents it has. */
    public int count() {
        return count;
    }

    /** The size of its documents in bytes. */
    public long sizeBytes() {
        return sizeBytes;
    }

    /** The response with the whole page. */
    public WireResponse toResponse() {
        write("],\"_count\":" + count + "}");
        return WireResponse.json(200, out.toByteArray())
                .header(Headers.ITEM_COUNT, Integer.toString(count))
                .items(count)
                .read(read);
    }

    private void write(String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
