package io.sluice.relay.feed;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Told of every document a reader of the feed has met; must be quick and never throw. */
@FunctionalInterface
public interface ChangeListener {
    ChangeListener NONE = documents -> {};

    void onChange(List<JsonNode> documents);
}
