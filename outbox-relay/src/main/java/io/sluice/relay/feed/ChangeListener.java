package io.sluice.relay.feed;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Follows what this replica reads of the change feed, range by range; must be quick and never throw. Thread-safe. */
public interface ChangeListener {
    /** Ignores all. */
    ChangeListener NONE = new ChangeListener() {
        @Override
        public void taken(KeyRange range) {}

        @Override
        public void onChange(KeyRange range, List<JsonNode> documents) {}

        @Override
        public void givenAway(KeyRange range) {}
    };

    /**
     * This replica begins to read a range, or begins again. What earlier readers have read, and still had in hand, may
     * have been lost with them.
     */
    void taken(KeyRange range);

    /** Documents of a range were read. */
    void onChange(KeyRange range, List<JsonNode> documents);

    /** A range has another reader from now on. */
    void givenAway(KeyRange range);
}
