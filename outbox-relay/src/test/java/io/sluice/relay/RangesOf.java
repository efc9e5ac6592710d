package io.sluice.relay;

import io.sluice.relay.history.RangeState;
import io.sluice.relay.status.RelayStatus;
import java.util.List;

/** The ranges of a running relay. */
final class RangesOf {
    private RangesOf() {}

    /** The names of those that it publishes. */
    static List<String> publishing(OutboxRelay relay) {
        return relay.status().history().ranges().stream()
                .filter(range -> range.state().equals(RangeState.PUBLISHING.name()))
                .map(RelayStatus.Range::range)
                .toList();
    }
}
