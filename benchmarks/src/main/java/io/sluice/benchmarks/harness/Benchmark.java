package io.sluice.benchmarks.harness;

import io.sluice.benchmarks.page.Section;
import io.sluice.benchmarks.result.Figure;
import java.util.List;

/** Something that can be measured again, by its name. */
public interface Benchmark {
    /** As it is asked for, and as its files are called: lower case. */
    String name();

    /** How the page shows its figures. */
    Section section();

    /**
     * Measures.
     *
     * @return all figures, including the ones of {@link #section()}
     * @throws IllegalStateException when the measured event does not happen
     */
    List<Figure> measure(Effort effort);

    /** How often it measures each figure with the whole effort. */
    default int runs() {
        return Effort.WHOLE.runs();
    }

    /** The command that measures it. */
    default String command() {
        return "mvn -q -Pbench -Dbench=" + name();
    }
}
