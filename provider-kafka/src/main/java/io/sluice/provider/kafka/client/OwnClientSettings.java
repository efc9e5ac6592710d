package io.sluice.provider.kafka.client;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/**
 * Settings of Kafka's clients that a feed sets itself, or that one of its clients refuses. A reader that could not be
 * opened for their sake would be tried again for ever, long after the start.
 */
public final class OwnClientSettings {
    private static final Map<String, String> INSTEAD = instead();

    private OwnClientSettings() {}

    private static Map<String, String> instead() {
        Map<String, String> instead = new HashMap<>();
        put(
                instead,
                "groups are named by topicPrefix, and by the work that a process runs",
                ConsumerConfig.GROUP_ID_CONFIG,
                ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
        put(
                instead,
                "the feed chooses how its groups share the work, and when they miss a process",
                ConsumerConfig.GROUP_PROTOCOL_CONFIG,
                ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG,
                ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
                ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG);
        put(
                instead,
                "the feed keeps its offsets itself: what is not handled is announced again",
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG);
        put(
                instead,
                "use activityReaders and unhandledTurns",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                ConsumerConfig.SHARE_ACKNOWLEDGEMENT_MODE_CONFIG,
                ConsumerConfig.SHARE_ACQUIRE_MODE_CONFIG);
        put(
                instead,
                "requests are given up after 10 s; for relays that are silent use pulseTimeout",
                ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG);
        put(instead, "the relay's provision creates topics", ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG);
        put(
                instead,
                "announcements pass no interceptor; for meters use meterRegistry or metric.reporters",
                ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG);
        put(
                instead,
                "the feed reads announcements itself",
                ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
                ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);
        put(
                instead,
                "use bootstrap.servers: controllers have no topics",
                AdminClientConfig.BOOTSTRAP_CONTROLLERS_CONFIG);
        return Map.copyOf(instead);
    }

    private static void put(Map<String, String> all, String instead, String... names) {
        List.of(names).forEach(name -> all.put(name, instead));
    }

    /** Their names. */
    public static Set<String> names() {
        return INSTEAD.keySet();
    }

    /**
     * Checks settings for clients.
     *
     * @throws IllegalArgumentException when one of these is given; it names them without their values
     */
    public static void requireNone(Map<String, Object> given) {
        Set<String> wrong = new TreeSet<>(given.keySet());
        wrong.retainAll(INSTEAD.keySet());
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException("clientProperties must be without what the feed sets itself: "
                    + wrong.stream()
                            .map(name -> name + " (" + INSTEAD.get(name) + ")")
                            .collect(Collectors.joining(", ")));
        }
    }
}
