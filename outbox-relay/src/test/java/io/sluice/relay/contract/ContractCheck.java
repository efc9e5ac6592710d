package io.sluice.relay.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cloudevents.kafka.KafkaMessageFactory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Holds a record that the relay wrote against its topic's contract: key, headers, value. */
public final class ContractCheck {
    private final TopicContract contract;
    private final @Nullable String key;
    private final byte @Nullable [] value;
    private final Map<String, String> headers;

    private ContractCheck(
            TopicContract contract, byte @Nullable [] key, byte @Nullable [] value, Headers recordHeaders) {
        this.contract = contract;
        this.key = key == null ? null : text(key);
        this.value = value;
        this.headers = new LinkedHashMap<>();
        boolean foreign = isMadeOfCommand(recordHeaders);
        for (Header header : recordHeaders) {
            // A dead letter keeps whatever headers the refused command had, and so does one that is parked.
            if (!foreign || header.key().startsWith("sluice-")) {
                assertThat(headers.put(header.key(), text(header.value())))
                        .as("header %s twice", header.key())
                        .isNull();
            }
        }
    }

    private static boolean isMadeOfCommand(Headers headers) {
        var kind = headers.lastHeader("sluice-kind");
        return kind != null && text(kind.value()).equals("command") || headers.lastHeader("sluice-keyed") != null;
    }

    /** Fails saying what is not as promised. */
    public static void fits(TopicContract contract, ConsumerRecord<byte[], byte[]> message) {
        fits(contract, message.key(), message.value(), message.headers());
    }

    /** Fails saying what is not as promised. */
    public static void fits(TopicContract contract, ProducerRecord<byte[], byte[]> message) {
        fits(contract, message.key(), message.value(), message.headers());
    }

    /** Fails saying what is not as promised. */
    public static void fits(TopicContract contract, byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        new ContractCheck(contract, key, value, headers).check();
    }

    /** The contract of one of the relay's topics; empty for a topic of somebody else. */
    public static Optional<TopicContract> contractOf(String prefix, String topic) {
        return List.of(TopicCatalogue.OWN, List.of(TopicCatalogue.REPLAY)).stream()
                .flatMap(List::stream)
                .filter(contract -> contract.name(prefix).equals(topic))
                .findFirst();
    }

    private void check() {
        checkHeaders();
        if (contract.cloudEvents()) {
            checkCloudEvent();
        }
        if (value == null) {
            assertThat(contract.promises().removal())
                    .as("a record without a value in %s", contract.suffix())
                    .satisfiesAnyOf(
                            text -> assertThat(text).startsWith("without a value"),
                            text -> assertThat(headers).containsEntry("sluice-kind", "command"));
            return;
        }
        var form = form();
        assertThat(contract.values()).as("the form is in the catalogue").contains(form);
        if (form.schema() != null) {
            var json = json();
            assertThat(Schemas.faultsOfOurs(form.schema(), json)).as("%s", json).isEmpty();
            assertThat(Schemas.faults(form.schema(), json)).as("%s", json).isEmpty();
            checkIdentity(json);
        }
    }

    private void checkHeaders() {
        var known = contract.headers().stream().collect(Collectors.toMap(TopicHeader::name, Function.identity()));
        assertThat(headers.keySet()).as("headers of %s", contract.suffix()).isSubsetOf(known.keySet());
        for (var header : known.values()) {
            var text = headers.get(header.name());
            if (text == null) {
                assertThat(header.isAlwaysThere())
                        .as("%s is promised in %s, there were %s", header.name(), contract.suffix(), headers)
                        .isFalse();
            } else {
                assertThat(header.form().fits(text))
                        .as("%s is %s, was '%s'", header.name(), header.form().words(), text)
                        .isTrue();
            }
        }
    }

    private void checkCloudEvent() {
        var message = new org.apache.kafka.common.header.internals.RecordHeaders();
        headers.forEach((name, text) -> message.add(name, text.getBytes(UTF_8)));
        var event = KafkaMessageFactory.createReader(message, value).toEvent();
        assertThat(event.getId()).isEqualTo(headers.get("ce_id"));
        assertThat(event.getExtension("traceparent")).isEqualTo(headers.get("traceparent"));
        assertThat(event.getExtension("tracestate")).isEqualTo(headers.get("tracestate"));
        if (key != null && !key.isEmpty()) {
            assertThat(event.getSubject()).isEqualTo(key);
            assertThat(event.getExtension("partitionkey")).isEqualTo(key);
        }
    }

    /** Which of the forms the headers say that the value has. */
    private TopicValue form() {
        if (contract.values().size() == 1) {
            return contract.values().get(0);
        }
        var said = Optional.ofNullable(headers.getOrDefault("sluice-kind", headers.get("ce_type")))
                .orElseThrow();
        return contract.values().stream()
                .filter(form -> form.which().endsWith("`" + said + "`"))
                .findFirst()
                .orElseGet(() -> contract.values().get(0));
    }

    private void checkIdentity(JsonNode json) {
        if (contract.equals(TopicCatalogue.HISTORY) || contract.equals(TopicCatalogue.REPLAY)) {
            if (json.has("type")) {
                assertThat(headers)
                        .containsEntry(
                                "ce_type",
                                "io.sluice.history." + json.path("type").asText());
            }
        } else if (contract.equals(TopicCatalogue.LIFECYCLE)) {
            assertThat(headers)
                    .containsEntry(
                            "ce_type",
                            "io.sluice.lifecycle." + json.path("type").asText())
                    .containsEntry("ce_id", json.path("id").asText())
                    .containsEntry("ce_subject", json.path("instance").asText());
        } else if (contract.equals(TopicCatalogue.STATISTICS)) {
            assertThat(key)
                    .isEqualTo(json.path("orchestration").asText() + "@"
                            + json.path("windowStart").asText());
        } else if (contract.equals(TopicCatalogue.POSITIONS) || contract.equals(TopicCatalogue.WORK_PULSE)) {
            assertThat(key)
                    .isEqualTo(
                            json.path("min").asText() + "-" + json.path("max").asText());
        } else if (contract.equals(TopicCatalogue.WORK_TURNS) || contract.equals(TopicCatalogue.WORK_HELP)) {
            assertThat(key).isEqualTo(json.path("instanceId").asText());
        } else if (contract.equals(TopicCatalogue.WORK_ACTIVITIES)) {
            assertThat(key).isEqualTo(json.path("documents").path(0).path("id").asText());
        } else if (contract.equals(TopicCatalogue.RELAYS)) {
            assertThat(key).isNotBlank();
        } else if (contract.equals(TopicCatalogue.REPLIES)) {
            assertThat(headers).containsEntry("command-id", json.path("id").asText());
        } else if (json.has("instance")) {
            assertThat(key).isEqualTo(json.path("instance").asText());
        } else {
            assertThat(key).isEqualTo(headers.get("sluice-target"));
        }
    }

    private JsonNode json() {
        try {
            return Schemas.JSON.readTree(value);
        } catch (IOException e) {
            throw new AssertionError("no JSON: " + text(value == null ? new byte[0] : value), e);
        }
    }

    private static String text(byte[] bytes) {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new AssertionError("no UTF-8", e);
        }
    }
}
