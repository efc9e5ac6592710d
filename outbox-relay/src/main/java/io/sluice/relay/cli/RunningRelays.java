package io.sluice.relay.cli;

import io.sluice.program.FailureReason;
import io.sluice.relay.RelayStartException;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.topic.Topics;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/** Tells whether relays run, as Kafka's group says in which every relay of a prefix is. */
final class RunningRelays {
    private static final long TIMEOUT_SECONDS = 20;

    private RunningRelays() {}

    /**
     * Checks that no relay of the configured prefix runs.
     *
     * @throws IllegalStateException if one does, or did until a few seconds ago
     * @throws RelayStartException if Kafka does not answer
     */
    static void requireNone(RelayConfig config) throws InterruptedException {
        var members = members(config);
        if (!members.isEmpty()) {
            throw new IllegalStateException("relays run, stop them first; one that was killed counts until its group"
                    + " misses it: " + members);
        }
    }

    private static List<String> members(RelayConfig config) throws InterruptedException {
        var group = new Topics(config.kafka().prefix()).historyGroup();
        var access = config.kafka().access();
        try (var admin = access.admin()) {
            return admin
                    .describeConsumerGroups(List.of(group))
                    .all()
                    .get(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .values()
                    .stream()
                    .flatMap(described -> described.members().stream())
                    .map(MemberDescription::host)
                    .toList();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return List.of();
            }
            throw noAnswer(group, e);
        } catch (TimeoutException | KafkaException e) {
            throw noAnswer(group, e);
        }
    }

    private static RelayStartException noAnswer(String group, Throwable cause) {
        return new RelayStartException(
                "Kafka doesn't say whether relays run, as members of the group " + group + ": "
                        + FailureReason.of(cause) + "; check KAFKA_BOOTSTRAP_SERVERS",
                cause);
    }
}
