package io.sluice.relay.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.relay.feed.ChangeListener;
import io.sluice.relay.feed.KeyRange;
import java.util.List;
import java.util.function.Consumer;

/** Hands on every document that is read, whatever its range. */
record SeenChanges(Consumer<JsonNode> seen) implements ChangeListener {
    @Override
    public void taken(KeyRange range) {}

    @Override
    public void onChange(KeyRange range, List<JsonNode> documents) {
        documents.forEach(seen);
    }

    @Override
    public void givenAway(KeyRange range) {}
}
