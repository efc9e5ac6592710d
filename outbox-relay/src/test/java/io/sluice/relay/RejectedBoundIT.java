package io.sluice.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.rejected.RejectedCommandAdmin;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A dead letter topic with more records than are looked at. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RejectedBoundIT {
    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final int LOOKED_AT = 10_000;
    private static final int OLDER = 40;

    private static Map<String, String> environment() {
        var environment = new HashMap<String, String>();
        environment.put("COSMOS_ENDPOINT", "https://127.0.0.1:1");
        environment.put("COSMOS_KEY", "a2V5");
        environment.put("KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers());
        environment.put("SLUICE_PREFIX", kafka.prefix());
        return environment;
    }

    private static void write(Producer<byte[], byte[]> producer, String topic, int count, String kind)
            throws Exception {
        var sent = new ArrayList<Future<?>>();
        for (int i = 0; i < count; i++) {
            var letter = new ProducerRecord<byte[], byte[]>(topic, 0, null, "{}".getBytes(UTF_8));
            letter.headers().add("sluice-kind", kind.getBytes(UTF_8));
            sent.add(producer.send(letter));
        }
        for (var each : sent) {
            each.get();
        }
    }

    @Test
    void looks_say_how_many_older_records_they_leave_out() throws Exception {
        var access = new KafkaAccess(kafka.bootstrapServers(), Map.of());
        var names = new Topics(kafka.prefix());
        try (var admin = access.admin()) {
            KafkaTopics.create(admin, new NewTopic(names.deadLetters(), 2, (short) 1));
        }
        try (var producer = access.idempotent(names.deadLetters())) {
            write(producer, names.deadLetters(), OLDER, "command");
            write(producer, names.deadLetters(), LOOKED_AT - 1, "intent");
            write(producer, names.deadLetters(), 1, "command");
        }

        var seen = new RejectedCommandAdmin(access, names, List.of()).list(100);
        var listed = CommandRun.of(environment(), "commands", "rejected");

        assertThat(seen.commands()).hasSize(1);
        assertThat(seen.notRead()).isEqualTo(OLDER);
        assertThat(listed.out()).contains("1 rejected commands");
        assertThat(listed.err()).contains("40 older records of the dead letter topic were not read");
    }
}
