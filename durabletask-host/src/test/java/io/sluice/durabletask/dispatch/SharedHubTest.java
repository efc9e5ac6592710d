package io.sluice.durabletask.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sluice.durabletask.wire.Protocol.TaskFailureDetails;
import io.sluice.durabletask.worker.Connection;
import io.sluice.durabletask.worker.FakeStream;
import io.sluice.durabletask.worker.WorkFilter;
import io.sluice.durabletask.worker.WorkKind;
import io.sluice.durabletask.worker.WorkerOffer;
import io.sluice.durabletask.worker.WorkerStream;
import io.sluice.durabletask.worker.Workers;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

@Isolated("other tests' lines of the same logger would be counted")
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SharedHubTest {
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(SharedHub.class);
    private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 5);
    private final Workers workers = new Workers();
    private final SharedHub hub = new SharedHub("sales", workers, nanoTime::get);
    private final WorkerStream answering = connect(Map.of());

    @BeforeEach
    void listen() {
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(logged);
    }

    private WorkerStream connect(Map<WorkKind, WorkFilter> filters) {
        return workers.connect(new WorkerOffer(Map.of(), filters, false), new Connection(), new FakeStream());
    }

    private void fail(String name, String type, String message) {
        hub.noteFailure(
                WorkKind.TURN,
                name,
                TaskFailureDetails.newBuilder()
                        .setErrorType(type)
                        .setErrorMessage(message)
                        .build(),
                answering);
    }

    private void failAsUnknown(String name) {
        fail(name, "OrchestratorTaskNotFound", "No orchestrator task named '" + name + "' was found.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "OrchestratorNotRegisteredError|A 'billing' orchestrator was not registered.",
                "ActivityNotRegisteredError|Activity function named 'billing' was not registered!",
                "OrchestratorNotRegisteredError|Orchestrator 'billing' does not exist.",
                "durabletask.worker.ActivityNotRegisteredError|Activity function 'billing' is not registered.",
                "OrchestratorTaskNotFound|No orchestrator task named 'billing' was found.",
                "ActivityTaskNotFound|No activity task named 'billing' was found.",
                "*errors.errorString|orchestrator named 'billing' is not registered",
                "TaskActivityNotRegistered|no task activity named 'billing' was registered",
                "java.lang.IllegalStateException|No orchestration factory registered for orchestration type 'billing'. Th",
                "java.lang.IllegalStateException|No activity task named 'billing' is registered.",
                "java.lang.NullPointerException|Cannot invoke \"com.microsoft.durabletask.TaskOrchestrationFactory.create()\""
                        + " because \"factory\" is null",
            })
    void what_an_sdk_says_of_a_name_that_it_does_not_know_is_warned_of(String type, String message) {
        var unused = connect(Map.of());

        fail("billing", type, message);

        assertThat(logged.list).hasSize(1);
        assertThat(String.valueOf(logged.list.get(0).getKeyValuePairs())).contains("sales", "billing", "unknown");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "TaskFailedError|billing is down",
                "java.lang.IllegalStateException|No activity task named 'charge' is registered.",
                "java.lang.NullPointerException|Cannot invoke",
            })
    void another_failure_is_not(String type, String message) {
        var unused = connect(Map.of());

        fail("billing", type, message);

        assertThat(logged.list).isEmpty();
    }

    @Test
    void a_worker_that_is_alone_is_not_warned_of() {
        failAsUnknown("billing");

        assertThat(logged.list).isEmpty();
    }

    @Test
    void workers_that_say_what_they_take_are_not_named() {
        var unused = connect(Map.of(WorkKind.TURN, new WorkFilter(Map.of("billing", Set.of()))));

        failAsUnknown("billing");

        assertThat(logged.list).hasSize(1);
        assertThat(String.valueOf(logged.list.get(0).getKeyValuePairs())).contains("othersWithoutFilters=\"[]\"");
    }

    @Test
    void each_name_is_warned_of_once_in_a_while() {
        var unused = connect(Map.of());

        failAsUnknown("billing");
        failAsUnknown("shipping");
        failAsUnknown("billing");
        assertThat(logged.list).hasSize(2);
        nanoTime.addAndGet(Duration.ofMinutes(10).toNanos());
        failAsUnknown("billing");

        assertThat(logged.list).hasSize(3);
    }

    @Test
    void names_are_forgotten_when_there_are_too_many() {
        var unused = connect(Map.of());

        for (int i = 0; i <= 1_000; i++) {
            failAsUnknown("n" + i);
        }
        failAsUnknown("n0");
        failAsUnknown("n1000");

        assertThat(logged.list).hasSize(1_002);
    }
}
