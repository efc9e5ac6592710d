package io.sluice.emulator.query.condition;

/**
 * That of a query which needs only the documents that come first.
 *
 * @param path of the value it sorts by
 * @param descending whether the greatest comes first
 * @param rows how many it needs
 */
public record OrderByLimit(DocumentPath path, boolean descending, long rows) {}
