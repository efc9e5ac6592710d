package io.sluice.provider.cosmos.slot;

import io.sluice.provider.request.Call;

/** The slots at which those who look for one kind of work look first. Thread-safe. */
public interface SlotShare {
    /** No preference, ever. */
    SlotShare ALL = new SlotShare() {
        @Override
        public SlotRange range(Call call) {
            return SlotRange.ALL;
        }

        @Override
        public void raceLost() {}

        @Override
        public void workFound() {}
    };

    /**
     * The slots to prefer now. Now and then a request is sent for it, whose answer nobody waits for, and whose failure
     * means no more than no preference.
     */
    SlotRange range(Call call);

    /** Another process was faster with a lock. */
    void raceLost();

    /** There was work. */
    void workFound();
}
