package io.sluice.provider.cosmos.turn;

import io.sluice.provider.document.IntentStatus;

/**
 * How turns are acked.
 *
 * @param immediateDelivery whether the ack delivers its intents itself; when not, they are left to the relay
 * @param pairsAtOnce to how many targets it delivers at one time
 * @param besideRustWriters whether intents are written so that a Rust reconciler leaves them alone
 */
public record TurnSettings(boolean immediateDelivery, int pairsAtOnce, boolean besideRustWriters) {
    /** Status of new intents. */
    public IntentStatus intentStatus() {
        return besideRustWriters ? IntentStatus.QUEUED : IntentStatus.PENDING;
    }
}
