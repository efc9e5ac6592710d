package io.sluice.relay.contract;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/**
 * How a topic is kept by Kafka.
 *
 * @param partitions how many there are
 * @param cleanup what becomes of old records
 * @param retention how long records are kept; null for the broker's default, or for ever where the topic is compacted
 * @param large whether records may be as large as a document of the store, 2 MB, rather than the broker's default of 1 MB
 * @param more further settings that the topic is made with
 */
public record TopicStorage(
        Partitions partitions, Cleanup cleanup, @Nullable Duration retention, boolean large, Map<String, String> more) {
    /** The largest record: a document of 2 MB, its headers, and some room. */
    public static final int LARGE_RECORD_BYTES = 4 * 1024 * 1024;

    /** How many partitions a topic has. */
    public enum Partitions {
        TOLD("`SLUICE_TOPIC_PARTITIONS`"),
        RANGES("one per key range, twice the container's physical partitions of the first start, at least 4"),
        AS_HISTORY("as many as `history`, so that both can be joined"),
        OF_ITS_MAKER("its maker's choice");

        private final String words;

        Partitions(String words) {
            this.words = words;
        }

        /** In words, for the page. */
        public String words() {
            return words;
        }
    }

    /** What becomes of old records. */
    public enum Cleanup {
        DELETE(TopicConfig.CLEANUP_POLICY_DELETE),
        COMPACT(TopicConfig.CLEANUP_POLICY_COMPACT),
        COMPACT_AND_DELETE(TopicConfig.CLEANUP_POLICY_COMPACT + "," + TopicConfig.CLEANUP_POLICY_DELETE);

        private final String setting;

        Cleanup(String setting) {
            this.setting = setting;
        }

        /** As Kafka's {@code cleanup.policy} says it. */
        public String setting() {
            return setting;
        }

        /** Whether a topic's setting says the same; the order in it means nothing. */
        public boolean is(String other) {
            return parts(setting).equals(parts(other));
        }

        private static Set<String> parts(String setting) {
            var parts = new TreeSet<String>();
            for (String part : setting.split(",", -1)) {
                parts.add(part.strip());
            }
            return parts;
        }
    }

    public TopicStorage {
        more = Map.copyOf(more);
    }

    /** The settings a topic is made with. What the broker's own defaults may decide is left to them. */
    public Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>(more);
        settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, cleanup.setting());
        if (retention != null) {
            settings.put(TopicConfig.RETENTION_MS_CONFIG, String.valueOf(retention.toMillis()));
        }
        if (large) {
            settings.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, String.valueOf(LARGE_RECORD_BYTES));
        }
        return settings;
    }
}
