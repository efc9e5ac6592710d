package io.sluice.benchmarks.dispatch;

import io.sluice.benchmarks.page.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The tables of the page, and the words before each. */
final class DispatchViews {
    private DispatchViews() {}

    static List<View> all() {
        List<View> views = new ArrayList<>();
        views.addAll(turns());
        views.addAll(orders());
        views.addAll(idle());
        views.addAll(times());
        return views;
    }

    private static List<View> turns() {
        return List.of(
                new View.Text("""
                        ### Requests a turn
                        Fetch and ack of turns, by processes with %d dispatchers of turns each. Another process starts
                        the instances, which end with their first turn.
                        """.formatted(TurnCosts.DISPATCHERS)),
                both(List.of(DispatchFigures.PARTITIONS, DispatchFigures.PROCESSES), DispatchFigures.PER_TURN));
    }

    private static List<View> orders() {
        return List.of(
                new View.Text("""
                        ### Requests of whole orchestrations
                        One after the other, started and run by one process with %1$d + %1$d dispatchers. It looks at an
                        instance at once when it has put a message into its queue itself, one request for each such
                        turn. *Own work waited for* is with `ownWorkAfter` of a second instead: such a turn then comes
                        with its announcement, a tenth of a second later.
                        """.formatted(DispatchRun.DISPATCHERS)),
                orders(DispatchFigures.REQUESTS),
                orders(DispatchFigures.UNITS));
    }

    private static View.Table orders(String figure) {
        return View.Table.of(
                List.of(DispatchFigures.ORCHESTRATION, DispatchFigures.PARTITIONS),
                DispatchFigures.name(figure, Way.POLLED),
                DispatchFigures.name(figure, Way.ANNOUNCED),
                DispatchFigures.name(figure, DispatchFigures.PATIENT));
    }

    private static List<View> idle() {
        var byPartitions = List.of(DispatchFigures.PARTITIONS);
        return List.of(
                new View.Text("""
                        ### Waiting
                        A process with %1$d + %1$d dispatchers while nothing happens, within a minute in which it did
                        not look at everything. It looks at each queue every 5 minutes, from 3 physical partitions on
                        every 2 minutes for each of them, and up to a quarter later: the third column adds these
                        requests, computed.
                        """.formatted(DispatchRun.DISPATCHERS)),
                View.Table.of(
                        byPartitions,
                        DispatchFigures.name(DispatchFigures.IDLE, Way.POLLED),
                        DispatchFigures.name(DispatchFigures.IDLE, Way.ANNOUNCED),
                        DispatchFigures.IDLE_WITH_LOOKS,
                        DispatchFigures.name(DispatchFigures.IDLE_UNITS, Way.POLLED),
                        DispatchFigures.name(DispatchFigures.IDLE_UNITS, Way.ANNOUNCED)),
                new View.Text("""
                        The relay of such a store at the same time, its leases included. Its ranges are twice the
                        physical partitions, at least 4; *polled*, it announces nothing.
                        """),
                both(byPartitions, DispatchFigures.RELAY, DispatchFigures.RELAY_UNITS));
    }

    private static List<View> times() {
        return List.of(
                new View.Text("""
                        ### Work of another process
                        From the beginning of its write until it is fetched, in milliseconds: %d pieces of each kind,
                        one by one, every tenth of a second on average, on one physical partition.
                        """.formatted(FetchLatency.SAMPLES)),
                both(List.of(DispatchFigures.QUEUE), DispatchFigures.MEDIAN, DispatchFigures.P99),
                new View.Text("""
                        ### A backlog
                        %d orchestrations of %d activities each, which another process writes at once, until the last
                        has ended: one process, one physical partition, and %d ms added to every request. Both ways by
                        turns.
                        """.formatted(Drain.ORCHESTRATIONS, Drain.ACTIVITIES, Drain.ADDED.toMillis())),
                View.Table.of(
                        List.of(DispatchFigures.DISPATCHERS),
                        DispatchFigures.name(DispatchFigures.RATE, Way.POLLED),
                        DispatchFigures.name(DispatchFigures.RATE, Way.ANNOUNCED),
                        DispatchFigures.RATIO,
                        DispatchFigures.RATIO_TO_FEW));
    }

    /** A column for each way. */
    private static View.Table both(List<String> parameters, String... figures) {
        return View.Table.of(
                parameters,
                Arrays.stream(figures)
                        .flatMap(figure -> Stream.of(Way.values()).map(way -> DispatchFigures.name(figure, way)))
                        .toArray(String[]::new));
    }
}
