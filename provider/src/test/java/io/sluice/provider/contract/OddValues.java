package io.sluice.provider.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.InstanceFilter;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.SemverRange;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Arguments that no caller should pass, and some that it may. */
final class OddValues {
    static final List<String> TEXTS = List.of(
            "order-1",
            "",
            " ",
            "ends with a space ",
            "\uD83D",
            "half\uDE00way",
            "whole\uD83D\uDE00pair",
            "\u0000\u001F\u007F",
            "a/b\\c?d#e",
            "%41",
            "it's \"quoted\"",
            "NonExistentStatus",
            "00000000-0000-0000-0000-000000000000",
            "x".repeat(5_000),
            "\u00e9".repeat(500));

    static final List<Long> NUMBERS = List.of(1L, 0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 53);

    static final List<Duration> TIMES = List.of(
            Duration.ofSeconds(30),
            Duration.ZERO,
            Duration.ofNanos(1),
            Duration.ofMillis(-1),
            Duration.ofMillis(Long.MAX_VALUE),
            Duration.ofSeconds(Long.MIN_VALUE),
            Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));

    static final List<Predicate<InstanceSummary>> CONDITIONS = List.of(instance -> true, instance -> false);

    private static final ErrorDetails DETAILS = new ErrorDetails.Infrastructure("\uD83D", "", true);

    private OddValues() {}

    static List<WorkItem> items() {
        List<WorkItem> items = new ArrayList<>();
        for (String text : TEXTS) {
            items.add(new WorkItem.StartOrchestration(text, "Order", "{}", null, null, null, null, 1));
            items.add(new WorkItem.StartOrchestration("order-1", text, text, text, text, -1L, Long.MAX_VALUE, 1));
            items.add(new WorkItem.ActivityExecute(text, 1, 2, "charge", "{}", null, null));
            items.add(new WorkItem.ActivityExecute("order-1", 1, 2, text, text, text, text));
            items.add(new WorkItem.ExternalRaised("order-1", text, text));
            items.add(new WorkItem.QueueMessage(text, text, text));
            items.add(new WorkItem.CancelInstance("order-1", text));
        }
        for (Long number : NUMBERS) {
            items.add(new WorkItem.ActivityExecute("order-1", number, number, "charge", "{}", "s", "t"));
            items.add(new WorkItem.ActivityCompleted("order-1", number, number, "done"));
            items.add(new WorkItem.ActivityFailed("order-1", number, number, DETAILS));
            items.add(new WorkItem.TimerFired("order-1", number, number, number));
            items.add(new WorkItem.SubOrchCompleted("order-1", number, number, "done"));
            items.add(new WorkItem.SubOrchFailed("order-1", number, number, DETAILS));
        }
        return items;
    }

    static List<List<String>> listsOfTexts() {
        List<List<String>> lists = new ArrayList<>(List.of(
                List.of(), TEXTS, Collections.nCopies(3, "order-1"), Collections.nCopies(1_000, "x".repeat(500))));
        TEXTS.forEach(text -> lists.add(List.of(text)));
        return lists;
    }

    static List<List<HistoryEvent>> histories() {
        List<List<HistoryEvent>> histories = new ArrayList<>(List.of(List.of()));
        for (String text : TEXTS) {
            histories.add(List.of(HistoryEvent.of(7, text, 1, 0, text, new EventKind.ExternalEvent(text, text))));
            histories.add(List.of(HistoryEvent.of(8, "order-1", 1, 0, "0.1.32", new EventKind.KeyValueCleared(text))));
            histories.add(List.of(
                    HistoryEvent.of(9, "order-1", 1, 0, "0.1.32", new EventKind.KeyValueSet(text, text, -1)),
                    HistoryEvent.of(10, "order-1", 1, 0, "0.1.32", new EventKind.CustomStatusUpdated(text))));
        }
        HistoryEvent event = HistoryEvent.of(11, "order-1", Long.MAX_VALUE, 0, "", new EventKind.KeyValuesCleared());
        histories.add(List.of(event, event));
        histories.add(Collections.nCopies(
                1, HistoryEvent.of(Long.MAX_VALUE, "order-1", 1, 0, "", new EventKind.OrchestrationCompleted("x"))));
        return histories;
    }

    /** Acks of unknown tokens and of turns that are locked for them. */
    static List<TurnAck> acks(Supplier<String> turnToken) {
        List<TurnAck> acks = new ArrayList<>();
        TEXTS.forEach(text -> acks.add(TurnAck.of(text, 1)));
        NUMBERS.stream().filter(number -> number >= 0).forEach(number -> acks.add(TurnAck.of(turnToken.get(), number)));
        histories().forEach(events -> acks.add(TurnAck.of(turnToken.get(), 1).withHistory(events)));
        // By turns: seven items have each text, so that each kind is an item of both queues.
        boolean isForWorkers = false;
        for (WorkItem item : items()) {
            TurnAck ack = TurnAck.of(turnToken.get(), 1);
            acks.add(isForWorkers ? ack.withWorkerItems(List.of(item)) : ack.withOrchestratorItems(List.of(item)));
            isForWorkers = !isForWorkers;
        }
        for (String text : TEXTS) {
            acks.add(TurnAck.of(turnToken.get(), 1)
                    .withCancelledActivities(List.of(new ScheduledActivityIdentifier(text, -1, Long.MAX_VALUE))));
        }
        return acks;
    }

    /** What is no Unicode text is refused by the value's own class, and so can't be passed. */
    private static <T> void addIfThereIs(List<T> values, Supplier<T> value) {
        try {
            values.add(value.get());
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("half a surrogate pair");
        }
    }

    static List<SessionFetchConfig> sessions() {
        List<SessionFetchConfig> sessions = new ArrayList<>();
        TEXTS.forEach(text -> addIfThereIs(sessions, () -> new SessionFetchConfig(text, Duration.ofSeconds(30))));
        TIMES.forEach(time -> sessions.add(new SessionFetchConfig("me", time)));
        return sessions;
    }

    static List<TagFilter> tagFilters() {
        List<TagFilter> filters = new ArrayList<>(List.of(TagFilter.defaultOnly(), TagFilter.any(), TagFilter.none()));
        for (String text : TEXTS) {
            addIfThereIs(filters, () -> TagFilter.tags(Set.of(text)));
            addIfThereIs(filters, () -> TagFilter.defaultAndMany(Set.of(text)));
        }
        return filters;
    }

    static List<DispatcherCapabilityFilter> capabilities() {
        return List.of(
                new DispatcherCapabilityFilter(List.of()),
                range(SemanticVersion.of(0, 0, 0), SemanticVersion.of(1, 0, 0)),
                range(SemanticVersion.of(9, 0, 0), SemanticVersion.of(0, 0, 1)),
                range(
                        SemanticVersion.of(0, 0, 0),
                        SemanticVersion.of(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE)));
    }

    private static DispatcherCapabilityFilter range(SemanticVersion min, SemanticVersion max) {
        return new DispatcherCapabilityFilter(List.of(new SemverRange(min, max)));
    }

    static List<InstanceFilter> instanceFilters() {
        List<InstanceFilter> filters = new ArrayList<>();
        listsOfTexts().forEach(ids -> filters.add(InstanceFilter.of(ids)));
        NUMBERS.forEach(number -> filters.add(new InstanceFilter(null, number, 10)));
        List.of(0, 1, Integer.MAX_VALUE).forEach(limit -> filters.add(new InstanceFilter(null, null, limit)));
        return filters;
    }

    static List<PruneOptions> pruneOptions() {
        List<PruneOptions> options = new ArrayList<>(
                List.of(PruneOptions.ALL_FINISHED, PruneOptions.keepLast(0), PruneOptions.keepLast(Integer.MAX_VALUE)));
        NUMBERS.forEach(number -> options.add(new PruneOptions(null, number)));
        return options;
    }
}
