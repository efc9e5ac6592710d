package io.sluice.emulator.query;

import java.util.List;

/**
 * One expression of ORDER BY, as an index must serve it.
 *
 * @param names of the properties on the way into the document
 * @param descending whether the greatest comes first
 */
public record OrderedPath(List<String> names, boolean descending) {
    /** Copies the names. */
    public OrderedPath {
        names = List.copyOf(names);
    }
}
