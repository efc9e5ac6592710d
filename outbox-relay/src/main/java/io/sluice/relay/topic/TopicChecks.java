package io.sluice.relay.topic;

import io.sluice.relay.contract.TopicContract;
import io.sluice.relay.contract.TopicStorage;
import io.sluice.relay.contract.TopicStorage.Partitions;
import io.sluice.relay.contract.TopicStorage.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Compares a topic with its contract. Pure.
 *
 * <p>One replica in sync is enough for a broker to acknowledge where {@code min.insync.replicas} is 1, so a topic with
 * several replicas loses acknowledged records when that one dies: positions without their events, commands that were
 * answered. That is a warning and not a fault unless the operator asked for more: nothing is wrong yet, two replicas
 * with both required would not survive the loss of a broker, and a relay that refuses to start delivers no intents
 * either.
 */
final class TopicChecks {
    private final String bootstrapServers;
    private final TopicRules rules;
    private final int brokers;
    private final int historyPartitions;
    private final int commandsPartitions;

    /**
     * A topic of the cluster.
     *
     * @param replicas the lowest number of replicas of a partition
     * @param settings by Kafka's names
     */
    record Found(String name, int partitions, int replicas, Map<String, String> settings) {
        private Optional<String> setting(String key) {
            return Optional.ofNullable(settings.get(key));
        }
    }

    /**
     * Checks topics of a cluster.
     *
     * @param bootstrapServers for the commands that correct a topic
     * @param rules the configured replicas and {@code min.insync.replicas}
     * @param brokers number of brokers
     * @param commandsPartitions 0 if there is no commands topic
     */
    TopicChecks(String bootstrapServers, TopicRules rules, int brokers, int historyPartitions, int commandsPartitions) {
        this.bootstrapServers = bootstrapServers;
        this.rules = rules;
        this.brokers = brokers;
        this.historyPartitions = historyPartitions;
        this.commandsPartitions = commandsPartitions;
    }

    /** The differences from the contract. */
    List<TopicFinding> of(TopicContract contract, Found found) {
        var findings = new ArrayList<TopicFinding>();
        partitions(contract, found).ifPresent(findings::add);
        cleanup(contract, found).ifPresent(findings::add);
        recordSize(contract, found).ifPresent(findings::add);
        timestamps(contract, found).ifPresent(findings::add);
        inSync(found).ifPresent(findings::add);
        onlyReplica(found).ifPresent(findings::add);
        return findings;
    }

    private Optional<TopicFinding> partitions(TopicContract contract, Found found) {
        if (contract.storage().partitions() == Partitions.ONE && found.partitions() != 1) {
            return Optional.of(new TopicFinding(
                    false,
                    "topic " + found.name() + " should have one partition, it has " + found.partitions()
                            + "; readers that share it would each hear of a part: "
                            + command("kafka-topics", found, "--delete") + ", then provision"));
        }
        if (contract.storage().partitions() == Partitions.AS_COMMANDS && found.partitions() < commandsPartitions) {
            return fault("topic " + found.name() + " must have as many partitions as the commands topic, "
                    + commandsPartitions + ", it has " + found.partitions()
                    + "; otherwise one instance that the store does not answer for holds up all commands of the others: "
                    + command("kafka-topics", found, "--alter --partitions " + commandsPartitions));
        }
        if (contract.storage().partitions() != Partitions.AS_HISTORY || found.partitions() == historyPartitions) {
            return Optional.empty();
        }
        var remedy = found.partitions() < historyPartitions
                ? command("kafka-topics", found, "--alter --partitions " + historyPartitions)
                        + " while no streams run (an instance may then have records in two of them)"
                : "with streams stopped, " + command("kafka-topics", found, "--delete") + ", then provision";
        return fault("topic " + found.name() + " must have as many partitions as the history, " + historyPartitions
                + ", it has " + found.partitions() + "; otherwise it can't be joined with it: " + remedy);
    }

    private Optional<TopicFinding> cleanup(TopicContract contract, Found found) {
        var wanted = contract.storage().cleanup();
        var policy = found.setting(TopicConfig.CLEANUP_POLICY_CONFIG).orElse(wanted.setting());
        if (wanted.is(policy)) {
            return Optional.empty();
        }
        var harm = contract.storageFault();
        var text = "topic " + found.name() + " must have cleanup.policy=" + wanted.setting() + ", it has " + policy
                + (harm == null ? "" : "; " + harm) + ": "
                + config(found, TopicConfig.CLEANUP_POLICY_CONFIG, "[" + wanted.setting() + "]");
        return Optional.of(new TopicFinding(harm != null, text));
    }

    private Optional<TopicFinding> recordSize(TopicContract contract, Found found) {
        var limit = found.setting(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
        if (contract.storage().records() != Records.LARGE
                || limit.isEmpty()
                || Integer.parseInt(limit.get()) >= TopicStorage.LARGE_RECORD_BYTES) {
            return Optional.empty();
        }
        return fault("topic " + found.name() + " must accept records of " + TopicStorage.LARGE_RECORD_BYTES
                + " bytes, its max.message.bytes is " + limit.get()
                + "; otherwise a large record blocks the records after it: "
                + config(found, TopicConfig.MAX_MESSAGE_BYTES_CONFIG, String.valueOf(TopicStorage.LARGE_RECORD_BYTES)));
    }

    private Optional<TopicFinding> timestamps(TopicContract contract, Found found) {
        var key = TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG;
        var wanted = contract.storage().settings().get(key);
        if (wanted == null || found.setting(key).orElse(wanted).equals(wanted)) {
            return Optional.empty();
        }
        return Optional.of(new TopicFinding(
                false,
                "topic " + found.name() + " should have " + key + "=" + wanted
                        + ": its retention counts from the events, so that what is written late is deleted before it is"
                        + " read; " + config(found, key, wanted)));
    }

    private Optional<TopicFinding> onlyReplica(Found found) {
        if (found.replicas() > 1 || brokers == 1 || rules.replicas() == 1) {
            return Optional.empty();
        }
        return Optional.of(new TopicFinding(
                false,
                "topic " + found.name() + " has a partition with one replica, on a cluster of " + brokers
                        + " brokers: while that broker is away it can't be written to, and its records are lost with"
                        + " it; add replicas with kafka-reassign-partitions, or set SLUICE_TOPIC_REPLICATION=1 if that"
                        + " is intended"));
    }

    private Optional<TopicFinding> inSync(Found found) {
        int minInSync = rules.minInSync();
        int inSync = found.setting(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG)
                .map(Integer::parseInt)
                .orElse(1);
        if (inSync > found.replicas()) {
            return fault("topic " + found.name() + " demands " + inSync + " replicas in sync and has "
                    + found.replicas() + "; it can't be written to: "
                    + config(found, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, String.valueOf(found.replicas()))
                    + ", or add replicas with kafka-reassign-partitions");
        }
        if (inSync < minInSync) {
            return fault("topic " + found.name() + " must have min.insync.replicas=" + minInSync
                    + " as SLUICE_TOPIC_MIN_INSYNC_REPLICAS says, it has " + inSync + ": "
                    + (minInSync > found.replicas()
                            ? "it has " + found.replicas()
                                    + " replicas; add replicas with kafka-reassign-partitions, or require fewer"
                            : config(found, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, String.valueOf(minInSync))));
        }
        if (minInSync == -1 && inSync == 1 && found.replicas() > 1) {
            return Optional.of(new TopicFinding(
                    false,
                    "topic " + found.name() + " has " + found.replicas()
                            + " replicas and min.insync.replicas=1: records that were acknowledged are lost with the one broker"
                            + " that had them; "
                            + config(found, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "2")
                            + ", or set SLUICE_TOPIC_MIN_INSYNC_REPLICAS=1 if that is intended"));
        }
        return Optional.empty();
    }

    private static Optional<TopicFinding> fault(String text) {
        return Optional.of(new TopicFinding(true, text));
    }

    private String config(Found found, String key, String value) {
        return command("kafka-configs", found, "--alter --add-config " + key + "=" + value);
    }

    private String command(String tool, Found found, String rest) {
        return tool + " --bootstrap-server " + bootstrapServers + " --topic " + found.name() + " " + rest;
    }
}
