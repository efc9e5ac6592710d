package io.sluice.relay.topic;

import io.sluice.program.PrerequisiteException;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.log.LogKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.FenceProducersOptions;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks at the start that the brokers offer the transactions on which a relay relies. Changes nothing but the epoch of
 * a transactional id of its own, and that only where this user may not read the brokers' settings.
 */
public final class TransactionSupport {
    /**
     * The level of Kafka's feature {@code transaction.version} from which each transaction has a producer epoch of its
     * own, so that a delayed request of an earlier one can't count for it (KIP-890).
     */
    public static final int SAFE_VERSION = 2;

    private static final Logger LOG = LoggerFactory.getLogger(TransactionSupport.class);
    private static final String FEATURE = "transaction.version";
    private static final String LONGEST = "transaction.max.timeout.ms";
    private static final long NEEDED_MILLIS = KafkaAccess.TRANSACTION_TIMEOUT.toMillis();

    private final Admin admin;
    private final String bootstrapServers;
    private final String probe;

    private TransactionSupport(Admin admin, String bootstrapServers, String probe) {
        this.admin = admin;
        this.bootstrapServers = bootstrapServers;
        this.probe = probe;
    }

    /**
     * Checks the version of the brokers' transactions and how long one may take.
     *
     * @param bootstrapServers for the command that raises the version
     * @param leastVersion the lowest level of {@code transaction.version} that is accepted; 0 for any
     * @throws PrerequisiteException naming every fault, with the remedy
     */
    public static void require(Admin admin, String bootstrapServers, Topics topics, int leastVersion) {
        var support = new TransactionSupport(admin, bootstrapServers, Rights.probe(topics));
        var faults = new ArrayList<String>();
        support.versionFault(leastVersion).ifPresent(faults::add);
        support.timeoutFault().ifPresent(faults::add);
        if (!faults.isEmpty()) {
            throw PrerequisiteException.of(faults);
        }
    }

    private Optional<String> versionFault(int least) {
        if (least == 0) {
            return Optional.empty();
        }
        var levels = TopicReader.answer(
                        "ask for Kafka's features", admin.describeFeatures().featureMetadata())
                .finalizedFeatures();
        return versionFault(levels, least, bootstrapServers);
    }

    /** Judges the levels that the cluster has finalized. Pure. */
    static Optional<String> versionFault(
            Map<String, FinalizedVersionRange> levels, int least, String bootstrapServers) {
        var level = levels.get(FEATURE);
        if (level != null && level.maxVersionLevel() >= least) {
            return Optional.empty();
        }
        int present = level == null ? 0 : level.maxVersionLevel();
        return Optional.of("the brokers' feature " + FEATURE + " must be at level " + least + " or higher, it is "
                + (level == null ? "at none" : "at " + present)
                + "; below 2 a delayed request of one transaction can count for the next, so that events are lost or"
                + " come twice: kafka-features --bootstrap-server " + bootstrapServers + " upgrade --feature " + FEATURE
                + "=" + SAFE_VERSION + " (Kafka 4.0 or later), or set SLUICE_TRANSACTION_VERSION=" + present
                + " to accept that; see The account and Kafka in limits.md");
    }

    /** By the brokers' settings, or by a try of one of them where the settings can't be read. */
    private Optional<String> timeoutFault() {
        try {
            var nodes = TopicReader.answer(
                    "describe the cluster", admin.describeCluster().nodes());
            var configs = TopicReader.answer(
                    "read the brokers' settings",
                    admin.describeConfigs(nodes.stream()
                                    .map(TransactionSupport::resource)
                                    .toList())
                            .all());
            if (configs.values().stream().allMatch(config -> longest(config).isPresent())) {
                return timeoutFault(configs);
            }
        } catch (PrerequisiteException e) {
            LOG.atDebug().addKeyValue(LogKeys.REASON, e.getMessage()).log("Kafka did not tell the brokers' settings");
        }
        return refusal();
    }

    private static ConfigResource resource(Node broker) {
        return new ConfigResource(ConfigResource.Type.BROKER, broker.idString());
    }

    private static Optional<Long> longest(Config config) {
        return Stream.ofNullable(config.get(LONGEST))
                .map(entry -> entry.value())
                .filter(Objects::nonNull)
                .map(Long::valueOf)
                .findFirst();
    }

    private static Optional<String> timeoutFault(Map<ConfigResource, Config> brokers) {
        List<String> tooShort = brokers.entrySet().stream()
                .flatMap(broker -> longest(broker.getValue())
                        .filter(millis -> millis < NEEDED_MILLIS)
                        .map(millis -> broker.getKey().name() + ": " + millis)
                        .stream())
                .sorted()
                .toList();
        return tooShort.isEmpty()
                ? Optional.empty()
                : Optional.of(timeoutFault("it is, by broker, " + String.join(", ", tooShort)));
    }

    private static String timeoutFault(String found) {
        return "the brokers' " + LONGEST + " must be at least " + NEEDED_MILLIS + ", the timeout of the relay's"
                + " transactions; " + found + ": set it in the configuration of every broker, and restart them";
    }

    /** The admin client hands its own timeout for this request on as that of the transactions. */
    private Optional<String> refusal() {
        try {
            TopicReader.answer(
                    "begin a transaction",
                    admin.fenceProducers(List.of(probe), new FenceProducersOptions().timeoutMs((int) NEEDED_MILLIS))
                            .all());
            return Optional.empty();
        } catch (PrerequisiteException e) {
            if (e.getCause() instanceof InvalidTxnTimeoutException) {
                return Optional.of(timeoutFault("a broker refuses this time"));
            }
            LOG.atDebug()
                    .addKeyValue(LogKeys.REASON, e.getMessage())
                    .log("Kafka did not say how long a transaction may take"); // the check of rights reports it
            return Optional.empty();
        }
    }
}
