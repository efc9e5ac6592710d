package io.sluice.relay.ledger.process;

import io.sluice.testkit.EmbeddedKafka;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;

/** A broker as a process of its own, until SIGTERM; its data is gone then. */
public final class BrokerProgram {
    static final String LISTENS = "broker listens at ";
    /** Set to {@code false} for a broker without them, such as one before Kafka 4.2. */
    public static final String SHARE_GROUPS = "BROKER_SHARE_GROUPS";

    private BrokerProgram() {}

    public static void main(String[] arguments) throws Exception {
        var kafka = EmbeddedKafka.start(EmbeddedKafka.SHORT_GROUP_SESSIONS);
        Runtime.getRuntime().addShutdownHook(new Thread(kafka::close, "broker-close"));
        if (!Boolean.parseBoolean(System.getenv().getOrDefault(SHARE_GROUPS, "true"))) {
            disableShareGroups(kafka);
        }
        System.out.println(LISTENS + kafka.bootstrapServers());
        Thread.currentThread().join();
    }

    private static void disableShareGroups(EmbeddedKafka kafka) throws ExecutionException, InterruptedException {
        var none = new FeatureUpdate((short) 0, FeatureUpdate.UpgradeType.UNSAFE_DOWNGRADE);
        try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.updateFeatures(Map.of("share.version", none), new UpdateFeaturesOptions())
                    .all()
                    .get();
        }
    }
}
