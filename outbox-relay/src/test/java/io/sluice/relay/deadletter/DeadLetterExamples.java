package io.sluice.relay.deadletter;

import io.sluice.provider.document.Dispatch;
import io.sluice.provider.document.IntentStatus;
import io.sluice.provider.outbox.FailedIntent;
import io.sluice.provider.outbox.Intent;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Dead letters of intents, made by the relay's own code. */
public final class DeadLetterExamples {
    private static final long CREATED = 1_767_225_600_000L;

    private DeadLetterExamples() {}

    /** One that the store refused ten times, one past its deadline, untried, and one of which nobody knows any more. */
    public static List<ProducerRecord<byte[], byte[]>> intents() {
        var dispatch = new Dispatch("cart-7", 1L, "msg-0198", CREATED + 3_600_000, null);
        return List.of(
                letter(
                        intent(10, "partition key differs", dispatch),
                        FailedIntent.REFUSED,
                        "refused 10 times, at last: partition key differs",
                        true),
                letter(intent(0, null, dispatch), FailedIntent.REFUSED, "its deadline has passed", false),
                letter(intent(0, null, Dispatch.NONE), FailedIntent.UNKNOWN, "older than its receipt", false));
    }

    private static ProducerRecord<byte[], byte[]> letter(
            Intent intent, String outcome, String reason, boolean answered) {
        return IntentDeadLetter.of(
                new FailedIntent(intent, outcome, reason, answered, CREATED + 90_000, false), "sluice.dead-letters");
    }

    private static Intent intent(int attempts, @Nullable String error, Dispatch dispatch) {
        var key = "order-17:1:0123456789abcdef.000001";
        return new Intent(
                "order-17",
                key,
                "pack-1",
                "orch_queue",
                "{\"id\":\"outbox:" + key + "\",\"instanceId\":\"pack-1\",\"type\":\"orch_queue\",\"workItem\":"
                        + "\"{\\\"CancelInstance\\\":{\\\"instance\\\":\\\"pack-1\\\",\\\"reason\\\":\\\"\\\"}}\","
                        + "\"dispatchSlot\":0,\"visibleAt\":" + CREATED + ",\"enqueuedAt\":" + CREATED
                        + ",\"attemptCount\":0}",
                IntentStatus.FAILED,
                CREATED,
                1,
                CREATED,
                attempts,
                0,
                error,
                error,
                0,
                true,
                "etag",
                0,
                attempts == 0 ? null : (Long) (CREATED + 60_000),
                dispatch);
    }
}
