package io.sluice.durabletask.dispatch;

/**
 * Sizes of messages.
 *
 * @param workItemBytes largest work item that a worker takes; SDKs take 4 MB unless they are told otherwise
 * @param answerBytes largest answer of a worker, all of its parts
 */
public record DispatchLimits(int workItemBytes, int answerBytes) {
    private static final int MEGABYTE = 1024 * 1024;

    /** 4 MB and 64 MB. */
    public static final DispatchLimits USUAL = new DispatchLimits(4 * MEGABYTE, 64 * MEGABYTE);

    public DispatchLimits {
        if (workItemBytes < MEGABYTE || answerBytes < MEGABYTE) {
            throw new IllegalArgumentException("workItemBytes and answerBytes must be at least " + MEGABYTE + ", were "
                    + workItemBytes + " and " + answerBytes);
        }
    }
}
