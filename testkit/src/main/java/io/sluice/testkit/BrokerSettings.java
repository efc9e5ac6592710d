package io.sluice.testkit;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The configuration of an embedded broker, or of a member of a small cluster: quick to start and small on disk. */
final class BrokerSettings {
    static final int NODE_ID = 1;
    static final String CLIENT_LISTENER = "PLAINTEXT";
    static final String CONTROLLER_LISTENER = "CONTROLLER";

    private BrokerSettings() {}

    /** The overrides win over the defaults of a test broker, but not over its folder and its listeners. */
    static Map<String, String> of(Path folder, ListenerSockets sockets, Map<String, String> overrides) {
        Map<String, String> settings = new HashMap<>(COMMON);
        settings.putAll(replicated(1, 1));
        settings.putAll(SMALL_AND_QUICK);
        settings.putAll(overrides);
        settings.put("node.id", Integer.toString(NODE_ID));
        settings.put("log.dirs", folder.toString());
        settings.put("metadata.log.dir", folder.toString());
        settings.put("listeners", sockets.listeners());
        settings.put(
                "controller.quorum.voters",
                NODE_ID + "@" + BrokerNode.LOOPBACK + ":" + sockets.controller().getPort());
        return settings;
    }

    /**
     * The settings of one member of a cluster. All topics, Kafka's own too, have up to three replicas, of which up to
     * two must have a record before it counts as written; sessions and elections take as long as Kafka's defaults say.
     *
     * @param members by node id
     * @param told what goes over what a test broker has, but for its folder and its listeners
     */
    static Map<String, String> ofMember(
            int nodeId, Path folder, Map<Integer, MemberPorts> members, Map<String, String> told) {
        MemberPorts ports = Objects.requireNonNull(members.get(nodeId), "ports of node " + nodeId);
        Map<String, String> settings = new HashMap<>(COMMON);
        settings.putAll(replicated(Math.min(3, members.size()), Math.min(2, members.size())));
        settings.putAll(SMALL_AND_QUICK);
        settings.putAll(told);
        settings.put("node.id", Integer.toString(nodeId));
        settings.put("log.dirs", folder.toString());
        settings.put("metadata.log.dir", folder.toString());
        settings.put(
                "listeners",
                CLIENT_LISTENER + "://" + address(ports.client()) + "," + CONTROLLER_LISTENER + "://"
                        + address(ports.controller()));
        settings.put(
                "controller.quorum.voters",
                members.entrySet().stream()
                        .map(member -> member.getKey() + "@"
                                + address(member.getValue().controller()))
                        .collect(Collectors.joining(",")));
        return settings;
    }

    private static String address(int port) {
        return BrokerNode.LOOPBACK + ":" + port;
    }

    /** The ports of a member of a cluster. */
    record MemberPorts(int client, int controller) {}

    private static Map<String, String> replicated(int replicas, int minInSync) {
        String all = Integer.toString(replicas);
        String enough = Integer.toString(minInSync);
        return Map.of(
                "default.replication.factor", all,
                "min.insync.replicas", enough,
                "offsets.topic.replication.factor", all,
                "transaction.state.log.replication.factor", all,
                "transaction.state.log.min.isr", enough,
                "share.coordinator.state.topic.replication.factor", all,
                "share.coordinator.state.topic.min.isr", enough);
    }

    private static final Map<String, String> COMMON = Map.of(
            "process.roles",
            "broker,controller",
            "controller.listener.names",
            CONTROLLER_LISTENER,
            "inter.broker.listener.name",
            CLIENT_LISTENER,
            "auto.create.topics.enable",
            "false");

    private static final Map<String, String> SMALL_AND_QUICK = Map.ofEntries(
            Map.entry("offsets.topic.num.partitions", "4"),
            Map.entry("transaction.state.log.num.partitions", "4"),
            Map.entry("share.coordinator.state.topic.num.partitions", "1"),
            Map.entry("group.initial.rebalance.delay.ms", "0"),
            // A transaction left open by a killed producer ends soon after its own timeout.
            Map.entry("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000"),
            // Frees the disk space of deleted topics at once.
            Map.entry("log.segment.delete.delay.ms", "1000"),
            Map.entry("log.cleaner.dedupe.buffer.size", Integer.toString(2 << 20)),
            Map.entry("num.io.threads", "4"),
            Map.entry("num.network.threads", "2"),
            Map.entry("background.threads", "2"),
            Map.entry("num.recovery.threads.per.data.dir", "1"));
}
