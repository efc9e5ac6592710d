package io.sluice.relay.takeover;

import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.topic.Topics;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Pulses of replicas. */
public final class TakeoverExamples {
    private TakeoverExamples() {}

    /** Of a replica at work, and of one that closes. */
    public static List<ProducerRecord<byte[], byte[]>> pulses() {
        var topic = new Topics("sluice").relays();
        var replica = "relay-0-5f0c1a2b/7d6f1f0e-3c1b-4f7e-9d55-0d3f4be5a111";
        return List.of(Takeover.pulse(topic, replica, KeyRange.cut(2)), Takeover.pulse(topic, replica, List.of()));
    }
}
