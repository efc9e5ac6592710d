package io.sluice.benchmarks.page;

import java.util.List;

/**
 * How the page shows one benchmark.
 *
 * @param title its heading
 * @param introduction what was done, in Markdown; may be empty
 * @param views tables and texts, in order
 */
public record Section(String title, String introduction, List<View> views) {
    /** Immutable. */
    public Section {
        views = List.copyOf(views);
    }
}
