package io.sluice.provider.cosmos.turn.ack;

import io.sluice.provider.document.IntentStatus;
import java.time.Duration;

/**
 * How turns are fetched and acked.
 *
 * @param immediateDelivery whether the ack delivers its intents itself; when not, they are left to the relay
 * @param pairsAtOnce to how many targets it delivers at one time
 * @param deliveryTimeout for how long an ack waits for its deliveries; in the second half it begins no more of them
 * @param besideRustWriters whether intents are written so that a Rust reconciler leaves them alone
 * @param droppingOrphanEvents whether events raised to instances that never started are dropped
 * @param refusingForeignEvents whether an ack is refused whose history names another instance, rather than stored
 *     under the turn's name
 */
public record TurnSettings(
        boolean immediateDelivery,
        int pairsAtOnce,
        Duration deliveryTimeout,
        boolean besideRustWriters,
        boolean droppingOrphanEvents,
        boolean refusingForeignEvents) {
    /** About twice as long as one delivery may take. */
    public static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(30);

    /** Status of new intents. */
    public IntentStatus intentStatus() {
        return besideRustWriters ? IntentStatus.QUEUED : IntentStatus.PENDING;
    }
}
