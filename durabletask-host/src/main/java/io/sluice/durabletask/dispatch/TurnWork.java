package io.sluice.durabletask.dispatch;

import io.sluice.durabletask.turn.OpenTurn;

/**
 * A turn in a worker's hand.
 *
 * @param attempt how often it has been fetched; 1 the first time
 */
record TurnWork(OpenTurn turn, int attempt) {}
