package io.sluice.relay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.relay.lifecycle.RangeState;
import io.sluice.relay.ops.OpsServer;
import java.util.function.Supplier;

/** What the ops server says of a relay. */
record StatusAnswers(Supplier<RelayStatus> relay) implements OpsServer.Answers {
    private static final JsonMapper JSON = new JsonMapper();

    @Override
    public boolean isLive() {
        return relay.get().running();
    }

    @Override
    public boolean isReady() {
        var now = relay.get();
        return now.running()
                && now.troubles().isEmpty()
                && now.history().ranges().stream()
                        .allMatch(range -> range.state().equals(RangeState.PUBLISHING.name()));
    }

    /** The status with the names and units of {@link RelayStatus}. */
    @Override
    public String status() {
        try {
            return JSON.writeValueAsString(relay.get());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
