package io.sluice.provider.kafka;

import io.sluice.provider.announcement.WorkQueue;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;

/**
 * Names of topics and groups.
 *
 * @param prefix of all of them
 */
record FeedTopics(String prefix) {
    private static final int HASH_BYTES = 8;

    String of(WorkQueue queue) {
        return prefix + ".work." + queue.name().toLowerCase(Locale.ROOT);
    }

    String pulse() {
        return prefix + ".work.pulse";
    }

    /** Where processes ask others for help with turns. */
    String help() {
        return prefix + ".work.help";
    }

    Set<String> all() {
        return Set.of(of(WorkQueue.TURNS), of(WorkQueue.ACTIVITIES), pulse(), help());
    }

    /** One group for each distinct filter: {@code <prefix>-work-turns}, then a hash of a filter that is not empty. */
    String group(WorkQueue queue, String filter) {
        return group(queue.name().toLowerCase(Locale.ROOT), filter);
    }

    /** The group of the same processes that hears of requests for help. */
    String helpGroup(String filter) {
        return group("help", filter);
    }

    private String group(String what, String filter) {
        String group = prefix + "-work-" + what;
        return filter.isEmpty() ? group : group + "-" + hash(filter);
    }

    private static String hash(String filter) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(filter.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
