package io.sluice.durabletask.grpc;

import java.time.Duration;

/**
 * Sizes of the messages that calls bring, after decompression.
 *
 * @param requestBytes largest message of a client, and of a worker if it is no answer
 * @param answerBytes largest answer of a worker: of an activity, or a part of a turn's
 * @param totalBytes largest sum of the messages that are taken at the same time; those of 64 KB or less don't count
 * @param unfinished how long a counted message may wait for the end of its call
 */
public record MessageLimits(int requestBytes, int answerBytes, int totalBytes, Duration unfinished) {
    private static final int MEGABYTE = 1024 * 1024;
    private static final int SHARE_OF_HEAP = 4;

    /** 8 MB, 64 MB, and a quarter of the heap in sum. */
    public static final MessageLimits USUAL = of(8 * MEGABYTE, 64 * MEGABYTE);

    public MessageLimits {
        int largest = Math.max(requestBytes, answerBytes);
        if (requestBytes < 1 || answerBytes < 1) {
            throw new IllegalArgumentException(
                    "requestBytes and answerBytes must be at least 1, were " + requestBytes + " and " + answerBytes);
        }
        if (totalBytes < largest) {
            throw new IllegalArgumentException(
                    "totalBytes must be at least the largest message, " + largest + ", was " + totalBytes);
        }
    }

    /** These sizes, and in sum a quarter of the heap, but at least one message. */
    public static MessageLimits of(int requestBytes, int answerBytes) {
        long share = Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
        int total = Math.max((int) share, Math.max(requestBytes, answerBytes));
        return new MessageLimits(requestBytes, answerBytes, total, Duration.ofSeconds(30));
    }

    /** The same with this sum. */
    public MessageLimits withTotalBytes(int bytes) {
        return new MessageLimits(requestBytes, answerBytes, bytes, unfinished);
    }

    /** The largest message of all. */
    public int largestBytes() {
        return Math.max(requestBytes, answerBytes);
    }
}
