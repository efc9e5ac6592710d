package io.sluice.relay.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;

/** Delivers what is found: takes the sources of intents, and reads the intents themselves. Thread-safe. */
public interface FoundSources {
    /**
     * Takes every source with an intent among changes.
     *
     * @return false if there was no room for a source that is due: a sweep has to find it
     */
    boolean enqueueChanged(List<JsonNode> documents);

    /**
     * Takes sources that a sweep has found, after all sources with new intents.
     *
     * @return false if there was no room for all of them: they have to be found once more
     */
    boolean enqueueSwept(Set<String> sources);

    /** Whether there is room for swept sources. */
    boolean hasRoom();

    /** A round of sweeps begins: a source that none of them finds until its end has no intents. */
    void beginSweep();

    /** The round has reached its end. */
    void endSweep();
}
