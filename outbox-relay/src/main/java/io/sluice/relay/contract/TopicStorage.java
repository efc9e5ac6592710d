package io.sluice.relay.contract;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/**
 * How Kafka stores a topic.
 *
 * @param partitions how many there are
 * @param cleanup how old records are removed
 * @param retention how long records are kept; null for the broker's default, or for ever where the topic is compacted
 * @param records how large they may be
 * @param more further settings with which the topic is created
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
        RANGES(
                "twice the container's physical partitions of the first start, at least 32: key ranges are spread over them"),
        ONE("one"),
        AS_COMMANDS("as many as `commands`: each has the parked commands of one"),
        AS_HISTORY("as many as `history`, so that both can be joined"),
        OF_ITS_MAKER("chosen at its creation");

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
        /** The broker's default, 1 MB. */
        BY_THE_BROKER("the broker's `max.message.bytes`"),
        /**
         * As large as a document of the store, 2 MB: the relay creates the topic so. An existing topic with a lower
         * limit is left as it is, because the relay writes nothing to it.
         */
        MADE_LARGE("4 MB if the relay creates it (`max.message.bytes=4194304`); a command has 2 MB at most"),
        /**
         * The same, and a lower limit is a fault: a large record of the relay would block the records after it.
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

    /** How old records are removed. */
    public enum Cleanup {
        DELETE(TopicConfig.CLEANUP_POLICY_DELETE),
        COMPACT(TopicConfig.CLEANUP_POLICY_COMPACT),
        COMPACT_AND_DELETE(TopicConfig.CLEANUP_POLICY_COMPACT + "," + TopicConfig.CLEANUP_POLICY_DELETE);

        private final String setting;

        Cleanup(String setting) {
            this.setting = setting;
        }

        /** The value of Kafka's {@code cleanup.policy}. */
        public String setting() {
            return setting;
        }

        /** Whether a topic's setting means the same; the order of its parts does not matter. */
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

    /** Of a topic whose latest values are all read at once: small segments, compacted soon, keep that short. */
    static TopicStorage compactedSoon(Partitions partitions) {
        return new TopicStorage(
                partitions,
                Cleanup.COMPACT,
                null,
                Records.BY_THE_BROKER,
                Map.of(
                        TopicConfig.SEGMENT_MS_CONFIG,
                        "600000",
                        TopicConfig.SEGMENT_BYTES_CONFIG,
                        "8388608",
                        TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
                        "0.1"));
    }

    /** The same with records of any size that the relay writes. */
    TopicStorage large() {
        return new TopicStorage(partitions, cleanup, retention, Records.LARGE, more);
    }

    public TopicStorage {
        more = Map.copyOf(more);
    }

    /** The settings with which a topic is created; all others are left to the broker's defaults. */
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
