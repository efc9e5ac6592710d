package io.sluice.durabletask.cli;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.kafka.KafkaWorkFeed;
import io.sluice.provider.kafka.KafkaWorkFeedBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/**
 * Where relays announce the work of the task hubs, so that the host need not search for it.
 *
 * @param clientProperties of Kafka's clients, {@code bootstrap.servers} among them; never logged
 * @param prefixes what the topics of each task hub's relay begin with, in the order of the task hubs
 * @param ownWorkAfter how long the host waits for the announcement of what it has sent itself
 */
record AnnouncedWork(Map<String, String> clientProperties, List<String> prefixes, Duration ownWorkAfter) {
    private static final String VARIABLES = "SLUICE_HOST_KAFKA_";
    private static final Set<String> NAMES = Stream.concat(
                    ConsumerConfig.configDef().names().stream(), AdminClientConfig.configDef().names().stream())
            .collect(Collectors.toUnmodifiableSet());

    AnnouncedWork {
        clientProperties = Map.copyOf(clientProperties);
        prefixes = List.copyOf(prefixes);
    }

    /**
     * Reads an environment; empty where no Kafka is named.
     *
     * @param hubs how many task hubs there are
     * @param faults gets every fault
     */
    static Optional<AnnouncedWork> of(
            Map<String, String> environment, int hubs, Duration ownWorkAfter, List<String> faults) {
        Map<String, String> properties = properties(environment, faults);
        List<String> prefixes = Stream.of(HostVariable.PREFIX.read(environment).split(",", -1))
                .map(String::strip)
                .toList();
        if (HostVariable.KAFKA_BOOTSTRAP_SERVERS.read(environment).isEmpty()) {
            if (!properties.isEmpty()) {
                faults.add(HostVariable.KAFKA_BOOTSTRAP_SERVERS.variable() + " is needed by the other settings of "
                        + VARIABLES + "…");
            }
            return Optional.empty();
        }
        if (prefixes.size() != hubs || prefixes.stream().distinct().count() != hubs) {
            faults.add(HostVariable.PREFIX.variable() + " must be another prefix for each of the " + hubs
                    + " task hubs, with commas, was " + String.join(",", prefixes));
        }
        return Optional.of(new AnnouncedWork(properties, prefixes, ownWorkAfter));
    }

    private static Map<String, String> properties(Map<String, String> environment, List<String> faults) {
        Map<String, String> properties = new TreeMap<>();
        environment.forEach((variable, text) -> {
            if (variable.startsWith(VARIABLES) && !text.isBlank()) {
                String name = variable.substring(VARIABLES.length())
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '.');
                if (NAMES.contains(name)) {
                    properties.put(name, text.strip());
                } else {
                    faults.add(variable + ": Kafka's consumers have no setting " + name);
                }
            }
        });
        return properties;
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
