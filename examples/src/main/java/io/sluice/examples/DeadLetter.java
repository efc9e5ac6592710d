package io.sluice.examples;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** A record of the dead letter topic; id and reason are empty when it carries none. */
record DeadLetter(String commandId, String reason) {
    static DeadLetter of(ConsumerRecord<String, String> consumed) {
        return new DeadLetter(header(consumed, "sluice-command-id"), header(consumed, "sluice-reason"));
    }

    private static String header(ConsumerRecord<String, String> consumed, String name) {
        Header header = consumed.headers().lastHeader(name);
        return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }
}
