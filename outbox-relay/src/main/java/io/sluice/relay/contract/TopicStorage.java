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
 * @param records how large they may be
 * @param more further settings that the topic is made with
 */
public record TopicStorage(
        Partitions partitions,
        Cleanup cleanup,
        @Nullable Duration retention,
        Records records,
        Map<String, String> more) {
    /** The largest record: a document of 2 MB, its headers, and some room. */
    public static final int LARGE_RECORD_BYTES = 4 * 1024 * 1024;

    /** How many partitions a topic has. */
    public enum Partitions {
        AS_CONFIGURED("`SLUICE_TOPIC_PARTITIONS`"),
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

    /** How large records may be. */
    public enum Records {
        /** As the broker's default has it, 1 MB. */
        BY_THE_BROKER("the broker's `max.message.bytes`"),
        /**
         * As large as a document of the store, 2 MB: it is made so, and what takes less is left as it is, as nothing of
         * the relay's goes there.
         */
        MADE_LARGE("4 MB where the relay makes it (`max.message.bytes=4194304`); a command has 2 MB at most"),
        /**
         * The same, and a topic that takes less is a fault: a large record of the relay's would stop those behind it.
         */
        LARGE("4 MB (`max.message.bytes=4194304`)");

        private final String words;

        Records(String words) {
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
        if (records != Records.BY_THE_BROKER) {
            settings.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, String.valueOf(LARGE_RECORD_BYTES));
        }
        return settings;
    }
}
