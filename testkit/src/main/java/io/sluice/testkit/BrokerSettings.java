package io.sluice.testkit;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The configuration of an embedded broker: as a single node wants it, quick to start and small on disk. */
final class BrokerSettings {
    static final int NODE_ID = 1;
    static final String CLIENT_LISTENER = "PLAINTEXT";
    static final String CONTROLLER_LISTENER = "CONTROLLER";

    private BrokerSettings() {}

    /** What is told beside goes over what a test broker has, but for its folder and its listeners. */
    static Map<String, String> of(Path folder, ListenerSockets sockets, Map<String, String> told) {
        Map<String, String> settings = new HashMap<>(SINGLE_NODE);
        settings.putAll(SMALL_AND_QUICK);
        settings.putAll(told);
        settings.put("log.dirs", folder.toString());
        settings.put("metadata.log.dir", folder.toString());
        settings.put("listeners", sockets.listeners());
        settings.put(
                "controller.quorum.voters",
                NODE_ID + "@" + BrokerNode.LOOPBACK + ":" + sockets.controller().getPort());
        return settings;
    }

    private static final Map<String, String> SINGLE_NODE = Map.ofEntries(
            Map.entry("process.roles", "broker,controller"),
            Map.entry("node.id", Integer.toString(NODE_ID)),
            Map.entry("controller.listener.names", CONTROLLER_LISTENER),
            Map.entry("inter.broker.listener.name", CLIENT_LISTENER),
            Map.entry("auto.create.topics.enable", "false"),
            Map.entry("default.replication.factor", "1"),
            Map.entry("min.insync.replicas", "1"),
            Map.entry("offsets.topic.replication.factor", "1"),
            Map.entry("transaction.state.log.replication.factor", "1"),
            Map.entry("transaction.state.log.min.isr", "1"),
            Map.entry("share.coordinator.state.topic.replication.factor", "1"),
            Map.entry("share.coordinator.state.topic.min.isr", "1"));

    private static final Map<String, String> SMALL_AND_QUICK = Map.ofEntries(
            Map.entry("offsets.topic.num.partitions", "4"),
            Map.entry("transaction.state.log.num.partitions", "4"),
            Map.entry("share.coordinator.state.topic.num.partitions", "1"),
            Map.entry("group.initial.rebalance.delay.ms", "0"),
            // A transaction left open by a killed producer ends soon after its own timeout.
            Map.entry("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000"),
            // Deleted topics give their disk space back at once.
            Map.entry("log.segment.delete.delay.ms", "1000"),
            Map.entry("log.cleaner.dedupe.buffer.size", Integer.toString(2 << 20)),
            Map.entry("num.io.threads", "4"),
            Map.entry("num.network.threads", "2"),
            Map.entry("background.threads", "2"),
            Map.entry("num.recovery.threads.per.data.dir", "1"));
}
