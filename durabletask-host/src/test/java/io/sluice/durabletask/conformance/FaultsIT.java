package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.durabletask.wire.Protocol.HistoryEvent;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestrationState;
import io.sluice.durabletask.wire.Wire;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.Faults;
import io.sluice.emulator.LoggedRequest;
import io.sluice.testkit.seed.Tier;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A fault at each request that a sequence of activities makes, or at a sample of them: the orchestration ends once with
 * the right result, and nothing is doubled.
 */
class FaultsIT {
    private static final int ENOUGH = 60;

    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    /** What befalls a request. */
    enum FaultKind {
        ANSWER_LOST {
            @Override
            FaultRule at(Faults faults, Predicate<LoggedRequest> which) {
                return faults.loseAnswer(which, 1);
            }
        },
        CONNECTION_DROPPED {
            @Override
            FaultRule at(Faults faults, Predicate<LoggedRequest> which) {
                return faults.dropConnection(which, 1);
            }
        },
        THROTTLED {
            @Override
            FaultRule at(Faults faults, Predicate<LoggedRequest> which) {
                return faults.refuse(which, 1, 429, 3200);
            }
        },
        UNAVAILABLE {
            @Override
            FaultRule at(Faults faults, Predicate<LoggedRequest> which) {
                return faults.refuse(which, 1, 503, 0);
            }
        },
        APPLIED_AND_ANSWERED_UNAVAILABLE {
            @Override
            FaultRule at(Faults faults, Predicate<LoggedRequest> which) {
                return faults.answerInstead(which, 1, 503, 0);
            }
        },
        RETRY_WITH {
            @Override
            FaultRule at(Faults faults, Predicate<LoggedRequest> which) {
                return faults.refuse(which, 1, 449, 0);
            }
        };

        abstract FaultRule at(Faults faults, Predicate<LoggedRequest> which);
    }

    private final HubClient client = host.client();
    private final String name = unique("Hello");
    private final String activity = unique("Say");
    private final ConcurrentMap<String, AtomicInteger> performed = new ConcurrentHashMap<>();

    /** The n-th request to the partition of the instance. */
    private static Predicate<LoggedRequest> nthOf(String instance, int n) {
        AtomicInteger counted = new AtomicInteger();
        return request -> request.operation().isData()
                && request.partitionKey() != null
                && request.partitionKey().contains(instance)
                && counted.incrementAndGet() == n;
    }

    @ParameterizedTest
    @EnumSource(FaultKind.class)
    void a_fault_at_any_request_of_an_orchestration_changes_nothing_of_its_result(FaultKind fault) {
        Faults faults = host.emulator().faults();
        ScriptedWorker worker = host.worker()
                .limits(50, 50)
                .orchestrates(name, Scripts.sequence(activity, 3))
                .performs(activity, request -> {
                    performed
                            .computeIfAbsent(
                                    request.getOrchestrationInstance().getInstanceId() + " " + request.getTaskId(),
                                    key -> new AtomicInteger())
                            .incrementAndGet();
                    return request.getInput().getValue();
                })
                .connect();
        int reached = 0;
        // In the first tier the faults take turns, so that between them they reach each request.
        int step = Tier.times(FaultKind.values().length, 1);
        for (int n = 1 + List.of(FaultKind.values()).indexOf(fault) % step; n <= ENOUGH; n += step) {
            String instance = unique("f" + n);
            FaultRule rule = fault.at(faults, nthOf(instance, n));

            client.start(HubClient.request(name).setInstanceId(instance).setInput(Wire.text("1")));
            OrchestrationState state = client.awaitEnd(instance);

            String what = fault + " at request " + n;
            List<HistoryEvent> history = client.history(instance);
            boolean hit = rule.hits() > 0;
            rule.remove();
            assertThat(worker.refusals()).as(what).isEmpty();
            assertThat(state.getOutput()).as(what).isEqualTo(Wire.text("0,1,2"));
            assertThat(Events.of(history, EventTypeCase.TASKSCHEDULED)).as(what).hasSize(3);
            assertThat(Events.of(history, EventTypeCase.TASKCOMPLETED)).as(what).hasSize(3);
            assertThat(Events.of(history, EventTypeCase.EXECUTIONCOMPLETED))
                    .as(what)
                    .hasSize(1);
            if (!hit) {
                break;
            }
            reached = n;
        }
        assertThat(performed.values())
                .as("no activity is performed twice, for its lock is kept")
                .allSatisfy(times -> assertThat(times).hasValue(1));
        assertThat(reached)
                .as("requests that were hit")
                .isGreaterThan(11 - step)
                .isLessThan(ENOUGH);
    }
}
