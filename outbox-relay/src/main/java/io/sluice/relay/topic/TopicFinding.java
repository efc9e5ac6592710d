package io.sluice.relay.topic;

/**
 * A difference between a topic and its contract.
 *
 * @param isFault whether it keeps the relay from starting; otherwise it is a warning
 * @param text the difference, its consequence, and the command that corrects it
 */
record TopicFinding(boolean isFault, String text) {}
