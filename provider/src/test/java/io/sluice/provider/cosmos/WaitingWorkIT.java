package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TagFilter;
import io.sluice.provider.work.WaitingWork;
import io.sluice.provider.work.WaitingWork.Kind;
import io.sluice.provider.work.WaitingWork.WaitingType;
import io.sluice.provider.work.WaitingWorkReader;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What waits is told by type, also what nobody looks for, by one look an interval for all processes. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WaitingWorkIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private static final Duration INTERVAL = Duration.ofMinutes(1);
    private static final String REPORT = "[\"__leases__:waiting\"]";
    private static final Predicate<WaitingType> NOTHING = type -> false;

    private final SteppedClock clock = new SteppedClock(InstantSource.system());

    private CosmosProvider provider;
    private WaitingWorkReader reader;

    @BeforeEach
    void open() {
        provider = process();
        reader = provider.waitingWork(INTERVAL);
    }

    private CosmosProvider process() {
        return fixture.provider(CosmosProvider.builder().reconciler(false).clock(clock));
    }

    private static WorkItem.StartOrchestration start(String instance, String name, @Nullable String version) {
        return new WorkItem.StartOrchestration(instance, name, "{}", version, null, null, null, 1);
    }

    private static WorkItem activity(String instance, long id, String name, @Nullable String tag) {
        return new WorkItem.ActivityExecute(instance, 1, id, name, "{}", null, tag);
    }

    private WaitingWork readLater() {
        clock.step(INTERVAL);
        return reader.read(NOTHING);
    }

    @Test
    void starts_that_nobody_fetches_are_counted_by_name_and_version_with_the_age_of_the_oldest() {
        Instant begun = clock.instant();
        provider.enqueueForOrchestrator(start("a-1", "Order", "1.0"), null);
        provider.starts().startInstance(InstanceStart.of(start("a-2", "Order", "1.0")));
        provider.enqueueForOrchestrator(start("a-3", "Order", "2.0"), null);
        provider.enqueueForOrchestrator(start("a-4", "Bill", null), null);

        WaitingWork work = readLater();

        assertThat(work.types())
                .extracting(
                        WaitingType::kind,
                        WaitingType::name,
                        WaitingType::version,
                        WaitingType::count,
                        WaitingType::isTaken)
                .containsExactlyInAnyOrder(
                        tuple(Kind.TURN, "Order", "1.0", 2, false),
                        tuple(Kind.TURN, "Order", "2.0", 1, false),
                        tuple(Kind.TURN, "Bill", "", 1, false));
        assertThat(work.types())
                .allSatisfy(type ->
                        assertThat(type.since()).isBetween(begun.minusMillis(1), begun.plus(Duration.ofSeconds(30))));
        assertThat(work.isCut()).isFalse();
    }

    @Test
    void activities_are_counted_by_tag_or_else_by_name() {
        provider.enqueueForWorker(activity("a-1", 1, "charge", "gpu"));
        provider.enqueueForWorker(activity("a-1", 2, "refund", "gpu"));
        provider.enqueueForWorker(activity("a-1", 3, "charge", null));

        assertThat(readLater().types())
                .extracting(WaitingType::kind, WaitingType::name, WaitingType::version, WaitingType::count)
                .containsExactlyInAnyOrder(
                        tuple(Kind.ACTIVITY, "gpu", null, 2), tuple(Kind.ACTIVITY, "charge", null, 1));
    }

    @Test
    void an_instance_that_runs_waits_under_the_name_that_it_has_stored() {
        StoreFixture.beginInstance(provider, "a-1");
        provider.enqueueForOrchestrator(raised("a-1", "{}"), null);
        provider.enqueueForOrchestrator(raised("a-1", "{}"), null);

        assertThat(readLater().types())
                .extracting(WaitingType::kind, WaitingType::name, WaitingType::version, WaitingType::count)
                .containsExactly(tuple(Kind.TURN, "Order", "1.0.0", 1));
    }

    @Test
    void what_somebody_holds_does_not_wait() {
        provider.enqueueForOrchestrator(start("a-1", "Order", "1.0"), null);
        var turn = provider.fetchOrchestrationItem(Duration.ofMinutes(10), LOCK, null)
                .orElseThrow();
        provider.enqueueForOrchestrator(raised("a-1", "{}"), null);
        provider.enqueueForWorker(activity("a-1", 1, "charge", null));
        assertThat(provider.fetchWorkItem(Duration.ofMinutes(10), LOCK, null, TagFilter.any()))
                .isPresent();

        WaitingWork held = readLater();
        provider.abandonOrchestrationItem(turn.lockToken(), null, true);
        WaitingWork givenBack = readLater();

        assertThat(held.types()).isEmpty();
        assertThat(givenBack.types()).extracting(WaitingType::name).containsExactly("Order");
    }

    @Test
    void what_can_not_be_taken_yet_does_not_wait_for_somebody_who_takes_it() {
        provider.enqueueForOrchestrator(raised("never-started", "{}"), null);
        provider.enqueueForOrchestrator(start("tomorrow", "Order", "1.0"), Duration.ofDays(1));

        assertThat(readLater().types()).isEmpty();
    }

    @Test
    void what_has_just_come_is_left_out() {
        provider.enqueueForOrchestrator(start("a-1", "Order", "1.0"), null);
        provider.enqueueForWorker(activity("a-1", 1, "charge", null));

        assertThat(reader.read(NOTHING).types()).isEmpty();
        assertThat(readLater().types()).hasSize(2);
    }

    @Test
    void an_activity_that_is_given_back_again_and_again_still_waits_since_it_was_queued() {
        provider.enqueueForWorker(activity("a-1", 1, "charge", null));
        Instant queued = clock.instant();
        clock.step(INTERVAL);
        var activity = StoreFixture.takeActivity(provider);
        provider.abandonWorkItem(activity.lockToken(), Duration.ofMillis(500), true);

        assertThat(reader.read(NOTHING).types())
                .singleElement()
                .satisfies(type -> assertThat(type.since()).isBeforeOrEqualTo(queued));
    }

    @Test
    void a_thousand_names_are_a_hundred_and_the_rest() {
        IntStream.range(0, 1_000)
                .parallel()
                .forEach(i -> provider.enqueueForOrchestrator(start("a-" + i, "Order" + i, "1.0"), null));

        WaitingWork work = readLater();

        assertThat(work.types())
                .hasSize(101)
                .last()
                .satisfies(type -> assertThat(type.since())
                        .isAfterOrEqualTo(work.types().get(0).since()));
        assertThat(work.types().stream().filter(WaitingType::isRest).mapToInt(WaitingType::count))
                .singleElement()
                .satisfies(rest -> assertThat(rest).isGreaterThan(0));
        int read = work.types().stream().mapToInt(WaitingType::count).sum();
        assertThat(read).isLessThanOrEqualTo(1_000);
        assertThat(work.isCut() || read == 1_000).isTrue();
    }

    @Test
    void of_several_processes_one_looks_in_an_interval() {
        List<WaitingWorkReader> readers =
                List.of(reader, process().waitingWork(INTERVAL), process().waitingWork(INTERVAL));
        provider.enqueueForOrchestrator(start("a-1", "Order", "1.0"), null);
        WaitingWork first = readLater();
        CosmosEmulator emulator = fixture.emulator();
        emulator.requests().clear();

        readers.forEach(each -> assertThat(each.read(NOTHING)).isEqualTo(first));

        assertThat(fixture.dataRequests())
                .hasSize(3)
                .allSatisfy(request -> assertThat(request.partitionKey()).isEqualTo(REPORT));
        clock.step(INTERVAL);
        assertThat(readers.get(1).read(NOTHING).at()).isAfter(first.at());
    }

    @Test
    void while_nothing_waits_a_look_is_two_requests_a_partition() {
        int partitions = fixture.emulator()
                .partitions()
                .of(fixture.config().database(), fixture.config().container())
                .size();
        readLater();
        fixture.emulator().requests().clear();

        readLater();

        assertThat(fixture.dataRequests().stream().filter(request -> request.operation() == RequestKind.QUERY))
                .hasSize(2 * partitions);
        assertThat(fixture.dataRequests()).hasSize(2 * partitions + 2);
        assertThat(fixture.dataRequests().stream()
                        .mapToDouble(LoggedRequest::requestCharge)
                        .sum())
                .isLessThan(2 * 2.9 * partitions + 12);
    }

    @Test
    void a_report_of_a_process_whose_clock_is_a_little_ahead_is_no_old_one() {
        provider.enqueueForOrchestrator(start("a-1", "Order", "1.0"), null);
        WaitingWork first = readLater();
        clock.step(Duration.ofSeconds(-2));

        assertThat(reader.read(NOTHING)).isEqualTo(first);
        clock.step(Duration.ofMinutes(-5));
        assertThat(reader.read(NOTHING).at()).isBefore(first.at());
    }

    @Test
    void what_a_process_takes_the_others_know_until_it_has_been_silent_for_three_intervals() {
        WaitingWorkReader other = process().waitingWork(INTERVAL);
        provider.enqueueForOrchestrator(start("a-1", "Order", "1.0"), null);
        provider.enqueueForOrchestrator(start("a-2", "Bill", "1.0"), null);
        readLater();

        assertThat(taken(other.read(type -> type.name().equals("Bill")))).containsExactly("Bill");
        assertThat(taken(reader.read(NOTHING))).containsExactly("Bill");
        assertThat(taken(readLater())).as("in a new report").containsExactly("Bill");
        clock.step(INTERVAL);
        assertThat(taken(readLater())).as("after three intervals").isEmpty();
    }

    @Test
    void who_takes_it_no_more_says_so_with_the_next_report() {
        WaitingWorkReader other = process().waitingWork(INTERVAL);
        provider.enqueueForOrchestrator(start("a-1", "Order", "1.0"), null);
        readLater();
        other.read(type -> true);

        other.read(NOTHING);

        assertThat(taken(reader.read(NOTHING))).isEmpty();
    }

    private static List<String> taken(WaitingWork work) {
        return work.types().stream()
                .filter(WaitingType::isTaken)
                .map(WaitingType::name)
                .toList();
    }

    @Test
    void a_report_that_can_not_be_written_is_told_all_the_same() {
        provider.enqueueForOrchestrator(start("a-1", "Order", "1.0"), null);
        fixture.emulator()
                .faults()
                .refuse(
                        request -> REPORT.equals(request.partitionKey()) && request.operation() == RequestKind.BATCH,
                        0,
                        503,
                        0);

        assertThat(readLater().types()).extracting(WaitingType::name).containsExactly("Order");
    }

    @Test
    void once_the_work_is_done_nothing_waits() {
        provider.enqueueForOrchestrator(start("a-1", "Order", "1.0"), null);
        readLater();
        provider.ackOrchestrationItem(firstAck(takeTurn(provider)));

        assertThat(readLater().types()).isEmpty();
    }

    @Test
    void a_store_that_does_not_answer_is_no_store_without_work() {
        fixture.emulator().faults().refuse(request -> REPORT.equals(request.partitionKey()), 0, 403, 0);

        assertThatThrownBy(() -> reader.read(NOTHING)).isInstanceOf(ProviderException.class);
    }
}
