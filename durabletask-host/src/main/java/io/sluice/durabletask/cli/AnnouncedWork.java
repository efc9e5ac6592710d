package io.sluice.durabletask.cli;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.program.setting.Settings;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.kafka.KafkaWorkFeed;
import io.sluice.provider.kafka.KafkaWorkFeedBuilder;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/**
 * Where relays announce the work of the task hubs, so that the host need not search for it.
 *
 * @param clientProperties of Kafka's clients, {@code bootstrap.servers} among them; never logged
 * @param prefixes what the topics of each task hub's relay begin with, in the order of the task hubs
 * @param ownWorkAfter how long the host waits for the announcement of what it has sent itself
 */
record AnnouncedWork(Map<String, String> clientProperties, List<String> prefixes, Duration ownWorkAfter) {
    AnnouncedWork {
        clientProperties = Map.copyOf(clientProperties);
        prefixes = List.copyOf(prefixes);
    }

    /**
     * Reads settings, which get what is wrong; empty where no Kafka is named.
     *
     * @param hubs how many task hubs there are
     */
    static Optional<AnnouncedWork> of(Settings settings, int hubs) {
        Map<String, String> properties = new HashMap<>(settings.of(HostCatalog.KAFKA));
        List<String> prefixes = settings.get(HostCatalog.PREFIX);
        Duration ownWorkAfter = settings.get(HostCatalog.OWN_WORK_AFTER);
        String servers = settings.get(HostCatalog.KAFKA_BOOTSTRAP_SERVERS);
        if (servers.isEmpty()) {
            if (!properties.isEmpty()) {
                settings.addFault(
                        HostCatalog.KAFKA_BOOTSTRAP_SERVERS, "is needed by the other settings of Kafka's clients");
            }
            return Optional.empty();
        }
        if (prefixes.size() != hubs) {
            settings.addFault(
                    HostCatalog.PREFIX,
                    "must be another prefix for each of the " + hubs + " task hubs, with commas, was "
                            + String.join(",", prefixes));
        }
        properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        return Optional.of(new AnnouncedWork(properties, prefixes, ownWorkAfter));
    }

    /** Reads what is announced of one task hub; it connects when work is asked for first. */
    WorkFeed feed(int hub, MeterRegistry meters) {
        return builder(hub).meterRegistry(meters).build();
    }

    /** What Kafka lacks of what this reads for one task hub. */
    List<String> check(int hub) {
        return builder(hub).check();
    }

    private KafkaWorkFeedBuilder builder(int hub) {
        return KafkaWorkFeed.builder()
                .clientProperties(clientProperties)
                .topicPrefix(prefixes.get(hub))
                .ownWorkAfter(ownWorkAfter);
    }

    /** Without the properties, some of which are secrets. */
    @Override
    public String toString() {
        return "AnnouncedWork[prefixes=" + prefixes + ']';
    }
}
