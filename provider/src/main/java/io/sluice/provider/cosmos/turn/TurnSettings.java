package io.sluice.provider.cosmos.turn;

/**
 * How turns are acked.
 *
 * @param immediateDelivery whether the ack delivers its intents itself; when not, they are left to the relay
 * @param besideRustWriters whether intents are written so that a Rust reconciler leaves them alone
 */
public record TurnSettings(boolean immediateDelivery, boolean besideRustWriters) {}
