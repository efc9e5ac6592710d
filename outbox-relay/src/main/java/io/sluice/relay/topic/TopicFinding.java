package io.sluice.relay.topic;

/**
 * Something about a topic that is not as it should be.
 *
 * @param isFault whether the relay must not start with it; else it is a warning
 * @param text what it is, what goes wrong otherwise, and the command that corrects it
 */
record TopicFinding(boolean isFault, String text) {}
