package io.sluice.relay.delivery;

import io.sluice.provider.cosmos.document.Dispatch;
import io.sluice.provider.cosmos.document.IntentStatus;
import io.sluice.provider.outbox.Intent;

/** Intents for tests. */
final class IntentExamples {
    private IntentExamples() {}

    /** From {@code source}, created at millisecond 1000 as the n-th of its turn, due at once. */
    static Intent intent(String source, String target, int position) {
        return intent(source, target, position, 1_000, 0);
    }

    static Intent intent(
            String source, String target, int position, long deliverAfterMillis, long nextAttemptAtMillis) {
        var key = "%s:1:0123456789abcdef.%06d".formatted(source, position);
        return new Intent(
                source,
                key,
                target,
                "orch_queue",
                "{}",
                IntentStatus.PENDING,
                1_000,
                position,
                deliverAfterMillis,
                0,
                nextAttemptAtMillis,
                null,
                null,
                0,
                true,
                "etag",
                0,
                null,
                Dispatch.NONE);
    }
}
