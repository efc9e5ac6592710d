package io.sluice.relay.ledger;

import io.sluice.relay.Drain;
import io.sluice.relay.ledger.Plan.Action;
import io.sluice.relay.ledger.audit.Audit;
import io.sluice.relay.ledger.load.Commands;
import io.sluice.relay.ledger.watch.Samples;
import io.sluice.testkit.judge.Finding.Kind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a run came to.
 *
 * @param done how often each action was taken
 * @param lostCommits answers to commits that were lost
 * @param endedAlone processes that ended without being told to
 * @param left what remained undone; {@link Drain#NOTHING} if all was done
 * @param takeovers what each takeover took, the shortest first
 * @param time the whole run took
 */
record Summary(
        Plan plan,
        Audit.Report report,
        Commands.Counts commands,
        Map<Action, Integer> done,
        int lostCommits,
        List<String> endedAlone,
        String left,
        int deadLetters,
        List<Duration> takeovers,
        Samples samples,
        Duration time) {
    private static final int SHOWN = 20;
    private static final String HEADER =
            "\n| | first third | middle third | last third | trend | may grow by | |\n|---|---:|---:|---:|---:|---:|---|\n";

    /** Everything that is wrong, the first of each kind. */
    List<String> faults() {
        var flatness = samples.verdicts().stream()
                .filter(verdict -> !verdict.flatness().isFlat())
                .map(verdict -> verdict.process() + " grows: " + verdict.measure());
        return Stream.of(
                        report.findings().stream().map(Object::toString),
                        commands.refused().stream().map(reply -> "refused " + reply),
                        endedAlone.stream().map(name -> name + " ended by itself"),
                        Stream.of(left)
                                .filter(text -> !text.equals(Drain.NOTHING))
                                .map(text -> "left: " + text),
                        Stream.of(deadLetters).filter(count -> count > 0).map(count -> count + " dead letters"),
                        flatness)
                .flatMap(some -> some.limit(SHOWN))
                .toList();
    }

    boolean isSound() {
        return faults().isEmpty() && commands.isSound();
    }

    Duration longestTakeover() {
        return takeovers.isEmpty() ? Duration.ZERO : takeovers.get(takeovers.size() - 1);
    }

    /** Markdown tables, and what is wrong below them. */
    String text() {
        Map<String, Object> rows = new LinkedHashMap<>();
        rows.put(
                "orders, commands, accepted, asked again",
                String.format(
                        Locale.ROOT,
                        "%d, %d, %d, %d",
                        plan.orders(),
                        commands.asked(),
                        commands.accepted(),
                        commands.repeated()));
        done.forEach((action, times) ->
                rows.put(action.name().toLowerCase(Locale.ROOT).replace('_', ' '), times));
        rows.put("commits without an answer", lostCommits);
        rows.put("events, intents, deletions", report.events() + ", " + report.intents() + ", " + report.deletions());
        for (var kind : Kind.values()) {
            rows.put(kind.name().toLowerCase(Locale.ROOT).replace('_', ' '), report.count(kind));
        }
        if (!takeovers.isEmpty()) {
            rows.put(
                    "takeovers: median, longest",
                    seconds(takeovers.get(takeovers.size() / 2)) + ", " + seconds(longestTakeover()));
        }
        rows.put("longest from event to record", seconds(Duration.ofMillis(report.longestEventMillis())));
        rows.put("time", seconds(time));
        var verdicts = samples.verdicts();
        return "| seed | " + plan.seed() + " |\n|---|---:|\n"
                + rows.entrySet().stream()
                        .map(row -> "| " + row.getKey() + " | " + row.getValue() + " |\n")
                        .collect(Collectors.joining())
                + (verdicts.isEmpty() ? "" : HEADER)
                + verdicts.stream().map(Summary::line).collect(Collectors.joining())
                + faults().stream().map(fault -> fault + "\n").collect(Collectors.joining());
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1_000.0);
    }

    private static String line(Samples.Verdict verdict) {
        var flatness = verdict.flatness();
        return String.format(
                Locale.ROOT,
                "| %s: %s | %.1f | %.1f | %.1f | %+.1f | %.1f | %s |%n",
                verdict.process(),
                verdict.measure().words(),
                flatness.first(),
                flatness.middle(),
                flatness.last(),
                flatness.rise(),
                flatness.allowance(),
                flatness.isFlat() ? "flat" : "GROWS");
    }
}
