package io.sluice.relay.feed;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Receives every document that a reader of the change feed has read; must be quick and never throw. */
@FunctionalInterface
public interface ChangeListener {
    ChangeListener NONE = documents -> {};

    void onChange(List<JsonNode> documents);
}
