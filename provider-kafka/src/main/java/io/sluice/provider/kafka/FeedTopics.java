package io.sluice.provider.kafka;

import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.announcement.WorkStore;
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

    /**
     * One group for each distinct filter: {@code <prefix>-work-turns-<store>}, then a hash of a filter that is not
     * empty. The store is there as a hash as well: a process that was given the prefix of another store's topics would
     * otherwise share that store's work with its processes, and drop it, since it does not find it in its own.
     */
    String group(WorkQueue queue, WorkStore store, String filter) {
        return group(queue.name().toLowerCase(Locale.ROOT), store, filter);
    }

    /** The group of the same processes that hears of requests for help. */
    String helpGroup(WorkStore store, String filter) {
        return group("help", store, filter);
    }

    private String group(String what, WorkStore store, String filter) {
        String group = prefix + "-work-" + what + "-" + hash(store.key());
        return filter.isEmpty() ? group : group + "-" + hash(filter);
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
