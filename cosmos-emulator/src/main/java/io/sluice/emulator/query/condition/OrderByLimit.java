package io.sluice.emulator.query.condition;

/**
 * The ORDER BY of a query that needs only its first documents.
 *
 * @param path of the value it sorts by
 * @param descending whether the greatest comes first
 * @param rows how many it needs
 */
public record OrderByLimit(DocumentPath path, boolean descending, long rows) {}
