package io.sluice.relay.contract;

import java.util.List;
import java.util.stream.Stream;

/** All topics of a relay. {@code docs/topics.md} is made of this. */
public final class TopicCatalogue {
    public static final TopicContract HISTORY = CoreTopics.HISTORY;
    public static final TopicContract COMMANDS = CoreTopics.COMMANDS;
    public static final TopicContract DEAD_LETTERS = CoreTopics.DEAD_LETTERS;
    public static final TopicContract POSITIONS = CoreTopics.POSITIONS;
    public static final TopicContract LIFECYCLE = InsightTopics.LIFECYCLE;
    public static final TopicContract STATUS = InsightTopics.STATUS;
    public static final TopicContract STATISTICS = InsightTopics.STATISTICS;
    public static final TopicContract STUCK = InsightTopics.STUCK;
    /** Named by whoever asks for a reply. */
    public static final TopicContract REPLIES = CoreTopics.REPLIES;
    /** Made when it is asked for. */
    public static final TopicContract REPLAY = CoreTopics.REPLAY;

    /** Those every relay needs, the history first. */
    public static final List<TopicContract> CORE = List.of(HISTORY, COMMANDS, DEAD_LETTERS, POSITIONS);
    /** Those that are made of the history. */
    public static final List<TopicContract> INSIGHT = List.of(LIFECYCLE, STATUS, STATISTICS, STUCK);
    /** Those whose promises others rely on: nobody else may write to them but to the commands. */
    public static final List<TopicContract> OWN =
            Stream.of(CORE, INSIGHT).flatMap(List::stream).toList();

    private TopicCatalogue() {}
}
