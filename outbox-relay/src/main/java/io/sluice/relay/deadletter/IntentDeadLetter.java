package io.sluice.relay.deadletter;

import io.sluice.provider.outbox.DispatchMetadata;
import io.sluice.provider.outbox.FailedIntent;
import io.sluice.provider.outbox.Intent;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The dead letter of an intent: key = target instance, value = the document that could not be delivered, byte for byte.
 * Headers describe the failure and carry the metadata of the dispatch.
 */
final class IntentDeadLetter {
    /** The reason can't be stored if the intent's document has the maximal size. */
    private static final String NOT_NOTED = "the intent's document contains no reason";

    private IntentDeadLetter() {}

    static ProducerRecord<byte[], byte[]> of(FailedIntent failed, String topic) {
        Intent intent = failed.intent();
        var all = new RecordHeaders();
        headers(failed).forEach((name, text) -> all.add(name, bytes(text)));
        return new ProducerRecord<>(topic, null, bytes(intent.targetInstance()), bytes(intent.payload()), all);
    }

    /** The failure, and the metadata of the dispatch. */
    static Map<String, String> headers(FailedIntent failed) {
        Intent intent = failed.intent();
        Map<String, String> headers = new TreeMap<>();
        headers.put(DeadLetter.KIND, "intent");
        headers.put(DeadLetter.REASON, failed.reason().isEmpty() ? NOT_NOTED : failed.reason());
        headers.put("sluice-id", intent.key() + ":" + intent.retry());
        headers.put("sluice-outcome", failed.outcome());
        headers.put("sluice-answered", String.valueOf(failed.answered()));
        headers.put("sluice-source", intent.sourceInstance());
        headers.put("sluice-target", intent.targetInstance());
        headers.put("sluice-attempts", String.valueOf(intent.attempts()));
        headers.put("sluice-created-at", String.valueOf(intent.createdAtMillis()));
        headers.put("sluice-failed-at", String.valueOf(failed.failedAtMillis()));
        putIfThere(headers, "sluice-first-error", intent.firstError());
        putIfThere(headers, "sluice-last-error", intent.lastError());
        headers.put("sluice-state", intent.state().name());
        headers.putAll(
                DispatchMetadata.ofLast(intent, dispatchedAtMillis(intent)).headers());
        return headers;
    }

    /** Metadata of the latest dispatch; an intent without an attempt has the time of its turn. */
    private static long dispatchedAtMillis(Intent intent) {
        Long last = intent.lastAttemptAtMillis();
        return last == null ? intent.createdAtMillis() : last;
    }

    private static void putIfThere(Map<String, String> headers, String name, @Nullable String text) {
        if (text != null) {
            headers.put(name, text);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
