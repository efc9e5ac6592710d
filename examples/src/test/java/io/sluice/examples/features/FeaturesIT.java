package io.sluice.examples.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.examples.features.Scene.Example;
import io.sluice.testkit.KafkaCluster;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every program runs, and shows the promise it is named for. */
@Order(1)
class FeaturesIT {
    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    @Test
    void a_lost_lease_ends_the_writes_of_its_former_holder() throws Exception {
        assertThat(printed(LeaseExample::run))
                .contains("bob is refused: ", "'ada' has leased it until")
                .contains("ada's write is refused: ", "the lease is lost")
                .contains("invoice-17 is sent, once: 118.00 SEK");
    }

    @Test
    void a_family_is_deleted_as_one_and_a_running_instance_by_force_only() throws Exception {
        assertThat(printed(AdminExample::run))
                .contains("result:    Hello, Ada!")
                .contains("a running instance stays: ", "a child stays: ")
                .contains("the family goes as one: DeleteInstanceResult[instancesDeleted=2")
                .contains("left: []");
    }

    @Test
    void a_command_that_is_sent_twice_is_carried_out_once() throws Exception {
        assertThat(printed(ClientExample::run))
                .contains("first reply:  Accepted", "second reply: Accepted")
                .contains("[OrchestrationStarted, ActivityScheduled, ActivityCompleted, OrchestrationCompleted]");
    }

    @Test
    void what_can_not_be_carried_out_is_a_dead_letter_with_a_reason() throws Exception {
        assertThat(printed(DeadLetterExample::run))
                .contains("after its deadline: Rejected", "in time:            Accepted")
                .containsPattern("dead letter: .+: say hello to Ada, please");
    }

    @Test
    void no_history_is_deleted_before_it_is_on_kafka() throws Exception {
        assertThat(printed(PurgeExample::run))
                .contains("nothing is gone: 4 events in the store")
                .contains("with a relay: DeleteInstanceResult[instancesDeleted=1")
                .containsPattern("on Kafka: greeting-1 .*OrchestrationCompleted");
    }

    @Test
    void beside_rust_the_relay_delivers_what_both_left() throws Exception {
        assertThat(printed(MixedFleetExample::run))
                .contains("skips it: [family-1 queued]")
                .contains("rust-1 pending")
                .contains("the relay has delivered both");
    }

    private static String printed(Example example) throws Exception {
        var bytes = new ByteArrayOutputStream();
        example.run(
                Map.of("KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers()),
                new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
