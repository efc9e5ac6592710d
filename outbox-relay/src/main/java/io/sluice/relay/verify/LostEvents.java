package io.sluice.relay.verify;

import java.util.function.Consumer;

/**
 * What seems to be lost is looked for in the store once more: an event that was removed since the store was read may
 * have waited until then. So are the first thousand; where there are more, they are no such accident. Not thread-safe.
 */
final class LostEvents implements Consumer<StoredEntry> {
    private static final int LOOKED_FOR = 1_000;

    private final StoredHistory store;
    private final Tally tally;
    private int looked;

    LostEvents(StoredHistory store, Tally tally) {
        this.store = store;
        this.tally = tally;
    }

    @Override
    public void accept(StoredEntry event) {
        if (looked++ < LOOKED_FOR && !store.stillHas(event.id())) {
            tally.unknown();
        } else {
            tally.found(Finding.lost(event));
        }
    }
}
