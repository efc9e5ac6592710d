package io.sluice.relay.contract;

import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.relay.command.CommandExamples;
import io.sluice.relay.deadletter.DeadLetterExamples;
import io.sluice.relay.dispatch.DispatchExamples;
import io.sluice.relay.history.HistoryExamples;
import io.sluice.relay.rejected.RejectedExamples;
import io.sluice.relay.streams.StreamsExamples;
import io.sluice.relay.streams.ValueFormat;
import io.sluice.relay.takeover.TakeoverExamples;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Records of every topic as the relay's own code makes them, of every form there is. */
public final class Examples {
    private Examples() {}

    /** By topic, in the order of the catalogue. */
    static Map<TopicContract, List<ProducerRecord<byte[], byte[]>>> all(Path emptyFolder) {
        var commands = CommandExamples.ends();
        var examples = new LinkedHashMap<TopicContract, List<ProducerRecord<byte[], byte[]>>>();
        examples.put(TopicCatalogue.HISTORY, history());
        examples.put(TopicCatalogue.COMMANDS, List.of(CommandExamples.sent()));
        examples.put(TopicCatalogue.PARKED_COMMANDS, CommandExamples.parked());
        examples.put(TopicCatalogue.REPLIES, commands.replies());
        examples.put(
                TopicCatalogue.DEAD_LETTERS,
                both(
                        both(commands.deadLetters(), DeadLetterExamples.intents()),
                        RejectedExamples.marks(commands.deadLetters())));
        examples.put(TopicCatalogue.POSITIONS, HistoryExamples.positions());
        examples.put(TopicCatalogue.RELAYS, TakeoverExamples.pulses());
        examples.putAll(streams(emptyFolder, ValueFormat.JSON));
        examples.put(TopicCatalogue.WORK_TURNS, DispatchExamples.turns());
        examples.put(TopicCatalogue.WORK_ACTIVITIES, DispatchExamples.activities());
        examples.put(TopicCatalogue.WORK_HELP, DispatchExamples.help());
        examples.put(TopicCatalogue.WORK_PULSE, DispatchExamples.pulses());
        return examples;
    }

    /** Those that the streams make, in this form. */
    public static Map<TopicContract, List<ProducerRecord<byte[], byte[]>>> streams(Path emptyFolder, ValueFormat form) {
        return StreamsExamples.of(
                emptyFolder,
                form,
                both(HistoryExamples.of(EveryEvent.histories()), HistoryExamples.of(List.of(stuck()))),
                List.of(HistoryExamples.of(List.of(moving())).get(0), HistoryExamples.deletion()));
    }

    private static List<ProducerRecord<byte[], byte[]>> history() {
        var events = EveryEvent.histories();
        var records = new ArrayList<ProducerRecord<byte[], byte[]>>();
        records.add(HistoryExamples.traced(events.get(1)));
        records.addAll(HistoryExamples.of(events));
        records.add(HistoryExamples.unknown());
        records.add(HistoryExamples.deletion());
        return records;
    }

    private static HistoryEvent stuck() {
        return HistoryEvent.of(
                1,
                "order-18",
                1,
                1_767_225_600_000L,
                "0.1.32",
                new EventKind.OrchestrationStarted("Order", "1.0.0", "{}", null, null, null, null, null));
    }

    private static HistoryEvent moving() {
        return HistoryEvent.of(
                2, "order-18", 1, 1_767_232_800_000L, "0.1.32", new EventKind.OrchestrationCompleted("late"));
    }

    private static List<ProducerRecord<byte[], byte[]>> both(
            List<ProducerRecord<byte[], byte[]>> first, List<ProducerRecord<byte[], byte[]>> second) {
        var both = new ArrayList<>(first);
        both.addAll(second);
        return both;
    }
}
