package io.sluice.relay.delivery;

import io.sluice.provider.cosmos.Fleet;
import io.sluice.provider.document.Dispatch;
import io.sluice.provider.document.IntentStatus;
import io.sluice.provider.outbox.Intent;
import io.sluice.relay.RelayConfig;
import java.time.Duration;

/** Intents for tests. */
final class IntentExamples {
    private IntentExamples() {}

    /** Four deliveries at a time, ten attempts, three days, no mixed fleet. */
    static RelayConfig.Delivery delivering(RelayConfig.Backoff backoff) {
        return new RelayConfig.Delivery(
                4, backoff, Duration.ofDays(6), new RelayConfig.GivingUp(10, Duration.ofDays(3), true), Fleet.SLUICE);
    }

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
