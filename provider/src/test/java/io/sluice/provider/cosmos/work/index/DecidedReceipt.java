package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.announcement.WorkFeed;

/** What becomes of it, the index decides and a test sees: nobody answers it. */
final class DecidedReceipt implements WorkFeed.Receipt {
    private boolean isCurrent = true;

    @Override
    public void handled() {
        throw new UnsupportedOperationException("the index decides, it does not answer");
    }

    @Override
    public void returned() {
        throw new UnsupportedOperationException("the index decides, it does not answer");
    }

    @Override
    public boolean isCurrent() {
        return isCurrent;
    }

    /** From now on another process has it. */
    void revoke() {
        isCurrent = false;
    }
}
