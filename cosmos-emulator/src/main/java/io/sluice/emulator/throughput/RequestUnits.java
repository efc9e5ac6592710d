package io.sluice.emulator.throughput;

/**
 * What a request costs in request units. A model, not a measurement; its anchors are the service's published figures.
 *
 * <ul>
 *   <li>A point read costs 1 per KB of the item, at least 1; one that finds nothing costs 1.
 *   <li>A write costs 5.5 per KB up to the first, 5 for each further; a replacement, upsert or patch of an existing item
 *       the same; a deletion 5.5.
 *   <li>A query costs 2.8 per partition and page, 0.05 per document examined and 0.4 per KB returned.
 *   <li>A page of the change feed costs 1, and 1 per KB returned.
 *   <li>A batch costs the sum of its operations. A refused write costs 1.2.
 * </ul>
 *
 * Indexing policies and consistency levels don't change it.
 */
public final class RequestUnits {
    /** A write that was refused. */
    public static final double REFUSED_WRITE = 1.2;
    /** A deletion. */
    public static final double DELETE = 5.5;
    /** A read of an account, database, container or range, or a query plan. */
    public static final double METADATA = 1;

    private static final double BYTES_PER_KB = 1024;
    private static final double WRITE_FIRST_KB = 5.5;
    private static final double WRITE_FURTHER_KB = 5;
    private static final double QUERY = 2.8;
    private static final double QUERY_PER_DOCUMENT = 0.05;
    private static final double QUERY_PER_KB = 0.4;

    private RequestUnits() {}

    /** A point read of an item of this size. */
    public static double pointRead(long sizeBytes) {
        return kilobytes(sizeBytes);
    }

    /** A creation, replacement, upsert or patch of an item of this size. */
    public static double write(long sizeBytes) {
        return WRITE_FIRST_KB + (kilobytes(sizeBytes) - 1) * WRITE_FURTHER_KB;
    }

    /** A page of a query that examined so many documents and returned so many bytes. */
    public static double query(long documentsExamined, long bytesReturned) {
        return rounded(QUERY + documentsExamined * QUERY_PER_DOCUMENT + bytesReturned / BYTES_PER_KB * QUERY_PER_KB);
    }

    /** A page of the change feed with so many bytes. */
    public static double changeFeed(long bytesReturned) {
        return 1 + Math.ceil(bytesReturned / BYTES_PER_KB);
    }

    private static double kilobytes(long sizeBytes) {
        return Math.max(1, Math.ceil(sizeBytes / BYTES_PER_KB));
    }

    private static double rounded(double charge) {
        return Math.round(charge * 100) / 100.0;
    }
}
