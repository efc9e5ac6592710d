package io.sluice.benchmarks.requests;

import io.sluice.benchmarks.harness.Benchmark;
import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.page.Section;
import io.sluice.benchmarks.page.View;
import io.sluice.benchmarks.result.Budget;
import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.store.RequestCost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What each operation asks of the store: counts, from the emulator's request log. Takes a little over a minute, one of
 * which is spent counting what idle dispatchers ask.
 */
public final class RequestsBenchmark implements Benchmark {
    private static final String REQUESTS = "requests";
    private static final String RUST = "Rust";
    private static final String OPERATION = "operation";
    private static final String PARTITIONS = "physical partitions";
    private static final List<Integer> PHYSICAL_PARTITIONS = List.of(1, 4);

    private static final int MOST_DOCUMENTS = 20;

    /** What the design allows, in requests. */
    private static final Map<String, Integer> BUDGETS = Map.ofEntries(
            Map.entry("fetch of a turn, new instance", 2),
            Map.entry("fetch of a turn, cached instance", 2),
            Map.entry("fetch of a turn, cold instance", 4),
            Map.entry("ack of a turn, 2 events and 1 activity", 1),
            Map.entry("ack of a turn that cancels an activity", 2),
            Map.entry("fetch of an activity", 2),
            Map.entry("ack of an activity with its completion", 1),
            Map.entry("renew the lock of an activity", 1),
            Map.entry("abandon an activity", 1),
            Map.entry("fetch of an activity with a session", 3),
            Map.entry("renew the lock of an activity with a session", 2),
            Map.entry("ack of an activity with a session", 2),
            Map.entry("hello world (1 activity)", 10),
            Map.entry("fan-out of 20", 67),
            Map.entry("parent → child → parent", 14),
            Map.entry(IdleMinute.OPERATION, 130));

    /** What the Rust provider was measured to take for the same work. */
    private static final Map<String, Integer> BY_RUST = Map.ofEntries(
            Map.entry("fetch of a turn, new instance", 7),
            Map.entry("fetch of a turn, cached instance", 7),
            Map.entry("fetch of a turn, cold instance", 7),
            Map.entry("ack of a turn, 2 events and 1 activity", 5),
            Map.entry("ack of a turn with 1 intent, delivered at once", 7),
            Map.entry("fetch of an activity", 2),
            Map.entry("ack of an activity with its completion", 2),
            Map.entry("renew the lock of an activity", 2),
            Map.entry("abandon an activity", 2),
            Map.entry("hello world (1 activity)", 29),
            Map.entry("fan-out of 20", 124),
            Map.entry("parent → child → parent", 41),
            Map.entry(IdleMinute.OPERATION, 2413));

    @Override
    public String name() {
        return "requests";
    }

    /** Counts don't spread. */
    @Override
    public int runs() {
        return 1;
    }

    @Override
    public String command() {
        return "mvn -q -Prequests";
    }

    @Override
    public Section section() {
        return new Section(
                "What operations cost",
                """
                From the request log of the embedded emulator. Requests are counted, not timed, so they are the same on
                every machine; a test fails when this page says otherwise.

                *Requests* are those on the wire: to data partitions, each counted where a query goes to several, and
                query plans. *Plans* says how many of them are plans, which the SDK asks for before a query that is not
                scoped to one key or range. What clients read of account, container and ranges, now and then, is left
                out of the table. *Bytes* are bodies of requests and answers. *RU* are the emulator's, whose model is
                within a fifth of the service's published figures for point operations; a query's share is an estimate.
                The figures of the Rust provider (duroxide-cdb 0.1.10) are of one measurement of the same work, and this
                command does not repeat it.
                """,
                List.of(
                        new View.Text("### One physical partition"),
                        table("1"),
                        new View.Text("### Four physical partitions"),
                        table("4"),
                        new View.Text("### A fetch among ready instances of 10 KB each"),
                        new View.Table(
                                List.of(PARTITIONS, FetchCost.READY),
                                List.of(
                                        FetchCost.REQUESTS,
                                        FetchCost.PLANS,
                                        FetchCost.DOCUMENTS,
                                        FetchCost.BYTES,
                                        FetchCost.UNITS),
                                Map.of()),
                        new View.Text("""
                                The first fetch of a turn by a process that has looked before and holds nothing of what
                                is ready.

                                The idle minute has two orchestration and two activity dispatchers of one process
                                on an empty store. The pace is one look a second and queue, which is one request to each
                                physical partition; work of the same process wakes a dispatcher at once.

                                ### Why not fewer
                                - **Two requests to fetch** are the minimum on one physical partition: a query finds
                                  work, a batch writes the lock. The query returns ids and times of the ready instances;
                                  the batch returns the content of the locked one, so that a new or a cached instance
                                  needs no other read. The lock names the version it was decided on, so stale content
                                  can't be used.
                                - **Each further physical partition is one more request** to look for work: a query must
                                  ask each of them. It needs no query plan.
                                - **One request to ack** is the minimum. Cancelled activities must be looked up, since
                                  their document ids are not derived from their names.
                                - **A process that waits needs fewer**: activities that its own acks create are handed
                                  to its workers, one request each, and for its own messages only the instance's
                                  partition is asked. The tables count one call after the other, where nobody waits.
                                - **A fan-out takes fewer than budgeted** because one query serves up to sixteen
                                  activities in a row.
                                - **A turn of more than a hundred operations** takes one request per 97 to stage its
                                  parts, one to look for duplicate ids, one to commit, two per part to apply it, and one
                                  to unlock.
                                """)));
    }

    private static View table(String physicalPartitions) {
        return View.Table.of(List.of(OPERATION), REQUESTS, RUST, "plans", "documents", "bytes", "RU")
                .where(PARTITIONS, physicalPartitions);
    }

    @Override
    public List<Figure> measure(Effort effort) {
        var figures = new ArrayList<Figure>();
        for (int partitions : effort.pick(PHYSICAL_PARTITIONS, List.of(1))) {
            RequestsPerOperation.measure(partitions)
                    .forEach((operation, cost) -> figures.addAll(figures(operation, partitions, cost)));
        }
        if (effort == Effort.WHOLE) {
            figures.addAll(figures(IdleMinute.OPERATION, 1, IdleMinute.measure()));
        }
        for (int partitions : effort.pick(FetchCost.PHYSICAL_PARTITIONS, List.of(1))) {
            for (int ready : effort.pick(FetchCost.READY_INSTANCES, List.of(0))) {
                FetchCost.measure(partitions, ready).forEach(figure -> figures.add(figure.at(PARTITIONS, partitions)));
            }
        }
        return figures;
    }

    /** The design counts on one physical partition. */
    private static List<Figure> figures(String operation, int partitions, RequestCost cost) {
        var figures = new ArrayList<Figure>();
        var requests = Figure.exactly(REQUESTS, "", cost.wireRequests());
        var most = BUDGETS.get(operation);
        figures.add(most == null || partitions != 1 ? requests : requests.within(Budget.atMost(most)));
        var rust = BY_RUST.get(operation);
        if (rust != null) {
            figures.add(Figure.exactly(RUST, "", rust));
        }
        figures.add(Figure.exactly("plans", "", cost.plans()));
        var documents = Figure.exactly("documents", "", cost.documents());
        figures.add(
                operation.equals(RequestsPerOperation.AMONG_OTHERS) && partitions == 1
                        ? documents.within(Budget.atMost(MOST_DOCUMENTS))
                        : documents);
        figures.add(Figure.exactly("bytes", "", (double) cost.bytes()));
        figures.add(Figure.exactly("RU", "", Math.round(cost.requestUnits() * 10) / 10.0));
        return figures.stream()
                .map(figure -> figure.at(OPERATION, operation).at(PARTITIONS, partitions))
                .toList();
    }
}
