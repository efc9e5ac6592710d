package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.task;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sluice.durabletask.turn.Answers;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** Two applications on one task hub, whose workers take everything. */
@Isolated("other tests' lines of the same logger would be counted")
class SharedHubIT {
    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.sluice.durabletask.dispatch.SharedHub");
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private final List<ILoggingEvent> logged = new CopyOnWriteArrayList<>();
    private final HubClient client = host.client();
    private final String name = unique("billing");

    @BeforeEach
    void listen() {
        appender.list = logged;
        appender.start();
        logger.addAppender(appender);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(appender);
    }

    private static void failAsUnknown(ScriptedWorker worker, WorkItem turn, String name) {
        worker.complete(
                turn,
                Answers.failed(
                        0, "OrchestratorNotRegisteredError", "A '" + name + "' orchestrator was not registered."));
    }

    @Test
    void a_worker_that_fails_the_others_orchestration_is_warned_of_once() {
        ScriptedWorker orders = host.worker().takesAll().limits(10, 1).connect();
        Awaitility.await().until(() -> host.host().hub().workers().count() == 1);
        WorkItem first = turnOf(orders);
        WorkItem second = turnOf(orders);
        var unused = host.worker().takesAll().limits(10, 1).connect();
        Awaitility.await().until(() -> host.host().hub().workers().count() == 2);

        failAsUnknown(orders, first, name);
        failAsUnknown(orders, second, name);

        client.awaitEnd(instanceOf(first));
        assertThat(client.awaitEnd(instanceOf(second)).getOrchestrationStatus())
                .isEqualTo(OrchestrationStatus.ORCHESTRATION_STATUS_FAILED);
        assertThat(logged).hasSize(1);
        assertThat(logged.get(0).getLevel()).isEqualTo(Level.WARN);
        assertThat(String.valueOf(logged.get(0).getKeyValuePairs()))
                .contains(name)
                .contains("127.0.0.1")
                .contains("grpc-java");
    }

    @Test
    void so_is_one_that_fails_the_others_activity() {
        ScriptedWorker orders = host.worker().takesAll().limits(10, 10).connect();
        WorkItem turn = turnOf(orders);
        orders.complete(turn, answer(task(0, name + "-charge", "1")));
        WorkItem activity = orders.activity(instanceOf(turn));
        var unused = host.worker().takesAll().limits(10, 10).connect();
        Awaitility.await().until(() -> host.host().hub().workers().count() == 2);

        orders.fail(activity, "ActivityTaskNotFound", "No activity task named '" + name + "-charge' was found.");

        assertThat(logged).hasSize(1);
        assertThat(String.valueOf(logged.get(0).getKeyValuePairs())).contains(name + "-charge", "ACTIVITY");
    }

    @Test
    void one_that_is_alone_is_not() {
        ScriptedWorker orders = host.worker().takesAll().limits(10, 1).connect();
        WorkItem turn = turnOf(orders);

        failAsUnknown(orders, turn, name);

        client.awaitEnd(instanceOf(turn));
        assertThat(logged).isEmpty();
    }

    private WorkItem turnOf(ScriptedWorker worker) {
        return worker.turn(client.start(name, "1"));
    }

    private static String instanceOf(WorkItem turn) {
        return turn.getOrchestratorRequest().getInstanceId();
    }
}
