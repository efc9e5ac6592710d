package io.sluice.emulator.throughput;

/**
 * What a request costs in request units: the service's published figures where there are any, a model of them
 * elsewhere.
 *
 * <ul>
 *   <li>A point read and the write of a new item cost what the table of "Understand request unit consumption"
 *       (learn.microsoft.com/azure/cosmos-db/understand-request-unit-consumption) says for their size: 1 and 4.95 for
 *       1 KB. For 100 KB "Optimize request cost" says 10 and 50, more than the table for 128 KB: the curve goes between
 *       the two.
 *   <li>A replacement, upsert or patch of an existing item costs twice its insertion, as "Optimize request cost" says;
 *       a deletion as much as the insertion.
 *   <li>A query costs 2.8 per partition and page, 0.05 per document returned and 0.4 per KB returned. Documents that
 *       are read and not returned, because no index answers an {@code ARRAY_CONTAINS(@list, c.p)} beside a filter that
 *       lets them through, cost 0.05 each or 0.0104 per KB, whichever is more: a scan of 60,951 documents with 400 MB
 *       costs 4,060, says "Troubleshoot query issues"
 *       (learn.microsoft.com/azure/cosmos-db/troubleshoot-query-performance).
 *   <li>A page of the change feed costs 1, and 1 per KB read: of the whole physical partition, also where the reader
 *       asks for a part of its keys.
 *   <li>A batch costs the sum of its operations. A refused write costs 1.2.
 * </ul>
 *
 * Indexing policies and consistency levels change nothing.
 */
public final class RequestUnits {
    /** A write that was refused. */
    public static final double REFUSED_WRITE = 1.2;
    /** A read of an account, database, container or range, or a query plan. */
    public static final double METADATA = 1;

    private static final SizeCurve READ = new SizeCurve(
            1, 1.00, 2, 1.04, 4, 1.14, 8, 1.33, 16, 1.67, 32, 2.19, 64, 4.76, 100, 9.90, 128, 9.95, 256, 20.28, 512,
            40.95, 1024, 145.90, 2048, 291.80);
    private static final SizeCurve INSERT = new SizeCurve(
            1, 4.95, 2, 6.29, 4, 6.67, 8, 7.04, 16, 9.52, 32, 11.23, 64, 22.67, 100, 48.00, 128, 48.19, 256, 98.29, 512,
            184.57, 1024, 625.00, 2048, 1250.00);
    private static final double REPLACE_FACTOR = 2;
    private static final double BYTES_PER_KB = 1024;
    private static final double QUERY = 2.8;
    private static final double QUERY_PER_DOCUMENT = 0.05;
    private static final double QUERY_PER_KB = 0.4;
    private static final double SCAN_PER_KB = 0.0104;

    private RequestUnits() {}

    /** A point read of an item of this size. */
    public static double pointRead(long sizeBytes) {
        return READ.at(sizeBytes);
    }

    /** A new item of this size. */
    public static double insert(long sizeBytes) {
        return INSERT.at(sizeBytes);
    }

    /** A new version of an item that exists, of this size. */
    public static double replace(long sizeBytes) {
        return rounded(REPLACE_FACTOR * INSERT.at(sizeBytes));
    }

    /** The deletion of an item of this size. */
    public static double delete(long sizeBytes) {
        return INSERT.at(sizeBytes);
    }

    /**
     * A page of a query.
     *
     * @param documents returned
     * @param bytes of these
     * @param scanned documents read besides, because no index answers the filter
     * @param bytesScanned of those
     */
    public static double query(long documents, long bytes, long scanned, long bytesScanned) {
        double scan = Math.max(scanned * QUERY_PER_DOCUMENT, bytesScanned / BYTES_PER_KB * SCAN_PER_KB);
        return rounded(QUERY + documents * QUERY_PER_DOCUMENT + bytes / BYTES_PER_KB * QUERY_PER_KB + scan);
    }

    /** A page of the change feed for which so many bytes were read, whether or not they are in it. */
    public static double changeFeed(long bytesRead) {
        return 1 + Math.ceil(bytesRead / BYTES_PER_KB);
    }

    private static double rounded(double charge) {
        return Math.round(charge * 100) / 100.0;
    }
}
