package io.sluice.relay.contract;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** All topics of a relay. {@code docs/topics.md} is made of this. */
public final class TopicCatalogue {
    public static final TopicContract HISTORY = CoreTopics.HISTORY;
    public static final TopicContract COMMANDS = CoreTopics.COMMANDS;
    public static final TopicContract PARKED_COMMANDS = CoreTopics.PARKED_COMMANDS;
    public static final TopicContract DEAD_LETTERS = CoreTopics.DEAD_LETTERS;
    public static final TopicContract POSITIONS = CoreTopics.POSITIONS;
    public static final TopicContract RELAYS = CoreTopics.RELAYS;
    public static final TopicContract LIFECYCLE = StreamsTopics.LIFECYCLE;
    public static final TopicContract STATUS = StreamsTopics.STATUS;
    public static final TopicContract STATISTICS = StreamsTopics.STATISTICS;
    public static final TopicContract STUCK = StreamsTopics.STUCK;
    public static final TopicContract WORK_TURNS = DispatchTopics.TURNS;
    public static final TopicContract WORK_ACTIVITIES = DispatchTopics.ACTIVITIES;
    public static final TopicContract WORK_HELP = DispatchTopics.HELP;
    public static final TopicContract WORK_PULSE = DispatchTopics.PULSE;
    /** The sender of a command names this topic. */
    public static final TopicContract REPLIES = CoreTopics.REPLIES;
    /** Made when it is asked for. */
    public static final TopicContract REPLAY = CoreTopics.REPLAY;

    /** Those every relay needs, the history first. */
    public static final List<TopicContract> CORE =
            List.of(HISTORY, COMMANDS, PARKED_COMMANDS, DEAD_LETTERS, POSITIONS, RELAYS);
    /** Those that are made of the history. */
    public static final List<TopicContract> STREAMS = List.of(LIFECYCLE, STATUS, STATISTICS, STUCK);
    /** Those by which work is announced. */
    public static final List<TopicContract> DISPATCH = List.of(WORK_TURNS, WORK_ACTIVITIES, WORK_PULSE, WORK_HELP);
    /** The topics that consumers rely on: only the relay may write to them, but for commands and requests for help. */
    public static final List<TopicContract> OWN =
            Stream.of(CORE, STREAMS, DISPATCH).flatMap(List::stream).toList();

    /** The endings of the topics that Kafka Streams makes for itself. */
    public static final List<String> STREAMS_INTERNAL = Stream.of(
                    "instances-changelog", "silence-changelog", "statistics-changelog", "by-orchestration-repartition")
            .map(topic -> StreamsTopics.APPLICATION + "-" + topic)
            .toList();

    /** What follows the prefix in each name that a relay, its streams or its replay gives to a topic. */
    public static final List<String> SUFFIXES = Stream.of(
                    OWN.stream().flatMap(TopicContract::suffixes), REPLAY.suffixes(), STREAMS_INTERNAL.stream())
            .flatMap(Function.identity())
            .toList();

    private TopicCatalogue() {}

    /**
     * The suffix by which a topic is one of a relay. Any beginning may be the prefix of a relay, so that
     * {@code orders.eu.history} is the history of {@code orders.eu}, whatever {@code orders} has to do with it.
     */
    public static Optional<String> suffixOf(String topic) {
        return SUFFIXES.stream().filter(topic::endsWith).findFirst();
    }
}
