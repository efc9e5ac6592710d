package io.sluice.relay.ledger.audit;

import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import io.sluice.relay.ledger.load.Instances;
import io.sluice.relay.ledger.load.Scheduled;
import io.sluice.relay.ledger.load.Story;
import io.sluice.relay.ledger.load.Tag;
import io.sluice.testkit.judge.Finding;
import io.sluice.testkit.judge.Finding.Kind;
import io.sluice.testkit.judge.HistoryJudge;
import io.sluice.testkit.judge.JudgedEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Judges what was published of instances most of which are deleted: the topic is the truth, and must be whole in
 * itself. Every instance's events come in one partition without a gap from its first one, execution by execution; an
 * order's last one is its completion, and what follows it is one record that says that it was deleted. Every intent,
 * activity, timer and child that a history tells of was answered once, intents of a pair in order. What runtimes were
 * told is committed, and what the store still holds, is there unchanged.
 */
public final class Audit {
    private final Map<String, Life> lives = new HashMap<>();
    private final HistoryJudge judge = new HistoryJudge();
    private int deletions;
    private int intents;
    private long longestEventMillis;

    /**
     * What an audit came to.
     *
     * @param events published
     * @param intents that histories tell of
     * @param deletions published
     * @param longestEventMillis from an event to its record
     */
    public record Report(int events, int intents, int deletions, long longestEventMillis, List<Finding> findings) {
        /** The same with what somebody else has found. */
        public Report with(List<Finding> more) {
            var all = Stream.concat(findings.stream(), more.stream()).toList();
            return new Report(events, intents, deletions, longestEventMillis, all);
        }

        /** How many findings are of a kind. */
        public long count(Kind kind) {
            return findings.stream().filter(finding -> finding.kind() == kind).count();
        }
    }

    /**
     * What there is to compare.
     *
     * @param orders that were given, by number from 0
     * @param confirmed JSON of events that a runtime was told are committed
     * @param stored events that the store still holds
     * @param isDeleted whether instances were deleted when they had ended; else the store holds all events
     */
    public record Truth(int orders, Collection<String> confirmed, Collection<HistoryEvent> stored, boolean isDeleted) {}

    /** An instance as the topic tells it. */
    private static final class Life {
        private final List<HistoryEvent> events = new ArrayList<>();
        private int partition;
        private int deletions;

        private @Nullable HistoryEvent last() {
            return events.isEmpty() ? null : events.get(events.size() - 1);
        }

        private long count(Class<? extends EventKind> kind) {
            return events.stream()
                    .filter(event -> kind.isInstance(event.kind()))
                    .count();
        }
    }

    private Audit() {}

    /** Judges what was published. */
    public static Report of(List<Topic.Message> published, Truth truth) {
        var audit = new Audit();
        published.forEach(audit::take);
        truth.confirmed().forEach(json -> audit.judge.expect(judged(HistoryJson.decode(json), json), "confirmed"));
        truth.stored().forEach(event -> audit.judge.expect(judged(event, HistoryJson.encode(event)), "stored"));
        if (!truth.isDeleted()) {
            audit.judge.expectNothingElse();
        }
        audit.lives.forEach(audit::checkAnswers);
        audit.checkIntents();
        for (int i = 0; i < truth.orders(); i++) {
            audit.checkOrder(i, truth.isDeleted() ? 1 : 0);
        }
        return new Report(
                audit.judge.events(), audit.intents, audit.deletions, audit.longestEventMillis, audit.judge.findings());
    }

    private static JudgedEvent judged(HistoryEvent event, String json) {
        return new JudgedEvent(event.instanceId(), event.executionId(), event.eventId(), event.timestampMillis(), json);
    }

    private void take(Topic.Message message) {
        var life = lives.computeIfAbsent(message.key(), instance -> new Life());
        if (message.isDeletion()) {
            takeDeletion(message, life);
        } else {
            takeEvent(message, HistoryJson.decode(message.value()), life);
        }
    }

    private void takeDeletion(Topic.Message message, Life life) {
        deletions++;
        if (++life.deletions > 1) {
            found(Kind.DUPLICATE, "deletion " + message.eventId());
        }
        var last = life.last();
        if (last != null && message.partition() != life.partition) {
            found(Kind.OUT_OF_ORDER, message.eventId() + " in another partition than what came before");
        }
        if (last == null || !(last.kind() instanceof EventKind.OrchestrationCompleted)) {
            found(Kind.LOST, "the end of " + message.key() + " before its deletion");
        }
    }

    private void takeEvent(Topic.Message message, HistoryEvent event, Life life) {
        if (!judge.take(message.partition(), message.key(), message.eventId(), judged(event, message.value()))) {
            return;
        }
        longestEventMillis = Math.max(longestEventMillis, message.millis() - event.timestampMillis());
        if (life.deletions > 0) {
            found(Kind.OUT_OF_ORDER, "event " + message.eventId() + " behind its instance's deletion");
        }
        var last = life.last();
        boolean begins = event.eventId() == 1;
        if (begins && last != null && !(last.kind() instanceof EventKind.OrchestrationContinuedAsNew)) {
            found(Kind.LOST, "events before " + message.eventId());
        }
        if (begins != (event.kind() instanceof EventKind.OrchestrationStarted)) {
            found(Kind.DUPLICATE, "beginning " + message.eventId());
        }
        life.partition = message.partition();
        life.events.add(event);
    }

    private void checkAnswers(String instance, Life life) {
        for (var event : life.events) {
            if (Scheduled.isAwaited(event)) {
                long answers = life.events.stream()
                        .filter(other -> other.executionId() == event.executionId()
                                && Long.valueOf(event.eventId()).equals(other.sourceEventId()))
                        .count();
                checkOnce(answers, "the answer to " + judged(event, "").id());
            }
            if (event.kind() instanceof EventKind.ExternalEvent external
                    && external.name().equals(Story.STALE)) {
                found(Kind.DUPLICATE, external.data() + " in " + instance);
            }
        }
    }

    private void checkOnce(long times, String what) {
        if (times != 1) {
            found(times == 0 ? Kind.LOST : Kind.DUPLICATE, what);
        }
    }

    private void checkIntents() {
        Set<Tag> sent = new HashSet<>();
        lives.values()
                .forEach(life -> life.events.forEach(event -> Tag.sentBy(event).ifPresent(sent::add)));
        intents = sent.size();
        Set<Tag> seen = new HashSet<>();
        lives.forEach((instance, life) -> {
            Map<String, Long> newest = new HashMap<>();
            life.events.forEach(event -> Tag.receivedBy(event).ifPresent(tag -> {
                if (!sent.contains(tag) || !tag.target().equals(instance)) {
                    found(Kind.ALTERED, "intent " + tag + " in " + instance);
                } else if (!seen.add(tag)) {
                    found(Kind.DUPLICATE, "intent " + tag);
                } else if (Tag.isOrdered(event) && newest.merge(tag.source(), tag.number(), Math::max) > tag.number()) {
                    found(Kind.OUT_OF_ORDER, "intent " + tag + " behind " + newest.get(tag.source()));
                }
            }));
        });
        sent.stream().filter(tag -> !seen.contains(tag)).forEach(tag -> found(Kind.LOST, "intent " + tag));
    }

    private void checkOrder(int number, int deletionsOfEach) {
        var order = Instances.order(number);
        for (var instance : List.of(order, Instances.childOf(order))) {
            var life = lives.getOrDefault(instance, new Life());
            checkOnce(life.count(EventKind.OrchestrationCompleted.class), "the end of " + instance);
            checkOnce(1 + life.deletions - deletionsOfEach, "the deletion of " + instance);
        }
        var life = lives.getOrDefault(order, new Life());
        long cancellations = life.count(EventKind.OrchestrationCancelRequested.class);
        if (Instances.isCancelled(number)) {
            checkOnce(cancellations, "the cancellation of " + order);
        } else if (cancellations > 0) {
            found(Kind.ALTERED, "a cancellation in " + order);
        }
        checkOnce(
                life.events.stream()
                        .filter(event -> event.kind() instanceof EventKind.ExternalEvent raised
                                && raised.name().equals(Story.GO))
                        .count(),
                "the event for " + order);
    }

    private void found(Kind kind, String where) {
        judge.found(kind, where);
    }
}
