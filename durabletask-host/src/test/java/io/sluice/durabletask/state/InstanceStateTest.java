package io.sluice.durabletask.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;
import io.sluice.durabletask.wire.Protocol.ExecutionStartedEvent;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.TaskFailureDetails;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.InstanceExt;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is kept along with an instance, and read back. */
class InstanceStateTest {
    private static final Instant ENDED = Instant.parse("2026-06-15T08:00:01.234567Z");

    @Test
    void a_state_is_an_object_of_readable_fields() {
        InstanceState state = begun(Map.of("tenant", "a"))
                .ended(
                        OrchestrationStatus.ORCHESTRATION_STATUS_FAILED,
                        ENDED,
                        TaskFailureDetails.newBuilder()
                                .setErrorType("Boom")
                                .setErrorMessage("it went boom")
                                .setIsNonRetriable(true)
                                .setStackTrace(Wire.text("at line 7"))
                                .setInnerFailure(TaskFailureDetails.newBuilder().setErrorType("Cause"))
                                .build());

        assertThat(state.toExt().json())
                .isEqualTo("{\"status\":\"FAILED\",\"completedAt\":1781510401234,\"execution\":\"guid-1\","
                        + "\"parent\":\"the parent\",\"inputCharacters\":3,"
                        + "\"scheduledStart\":\"2026-06-15T08:00:00.000000001Z\",\"failure\":{\"type\":\"Boom\","
                        + "\"message\":\"it went boom\",\"nonRetriable\":true,\"stack\":\"at line 7\","
                        + "\"inner\":{\"type\":\"Cause\",\"message\":\"\"}},\"tags\":{\"tenant\":\"a\"}}");
        assertThat(InstanceState.of(state.toExt())).contains(state);
    }

    @ParameterizedTest
    @EnumSource(value = OrchestrationStatus.class, names = "UNRECOGNIZED", mode = EnumSource.Mode.EXCLUDE)
    void every_status_is_read_back(OrchestrationStatus status) {
        InstanceState state = InstanceState.begun(ExecutionStartedEvent.getDefaultInstance(), null, status);

        assertThat(InstanceState.of(state.toExt())).contains(state);
        assertThat(state.toExt().json()).isEqualTo("{\"status\":\"" + InstanceState.text(status) + "\"}");
    }

    @Test
    void a_client_starts_an_instance_as_pending() {
        assertThat(InstanceState.pending(started(Map.of("tenant", "a"))))
                .isEqualTo(new InstanceState(
                        OrchestrationStatus.ORCHESTRATION_STATUS_PENDING,
                        "guid-1",
                        Map.of("tenant", "a"),
                        null,
                        3,
                        Instant.parse("2026-06-15T08:00:00.000000001Z"),
                        null,
                        null,
                        0));
    }

    @Test
    void a_start_at_no_time_is_shown_without_it() {
        ExecutionStartedEvent started = ExecutionStartedEvent.newBuilder()
                .setScheduledStartTimestamp(Timestamp.newBuilder().setSeconds(Long.MAX_VALUE))
                .build();

        assertThat(InstanceState.pending(started).scheduledStart()).isNull();
    }

    @Test
    void properties_of_a_failure_keep_their_types() {
        TaskFailureDetails failure = TaskFailureDetails.newBuilder()
                .setErrorType("Boom")
                .putProperties(
                        "nan", Value.newBuilder().setNumberValue(Double.NaN).build())
                .putProperties("text", Value.newBuilder().setStringValue("1").build())
                .build();

        assertThat(kept(failed(failure)).failure()).isEqualTo(failure);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"status\":\"LOST\"}",
                "{\"status\":7}",
                "{\"tags\":{\"a\":\"b\"}}",
                "{\"status\":\"UNRECOGNIZED\"}"
            })
    void what_another_has_kept_is_no_state(String json) {
        assertThat(InstanceState.of(new InstanceExt(json))).isEmpty();
        assertThat(InstanceState.of(null)).isEmpty();
    }

    @Test
    void fields_of_another_type_are_left_out() {
        String json = "{\"status\":\"RUNNING\",\"completedAt\":\"now\",\"execution\":null,\"parent\":1,"
                + "\"inputCharacters\":\"x\",\"scheduledStart\":\"soon\",\"failure\":[],\"tags\":7}";

        InstanceState state = InstanceState.of(new InstanceExt(json)).orElseThrow();

        assertThat(state.completedAt()).isNull();
        assertThat(state.parentInstance()).isNull();
        assertThat(state.inputCharacters()).isEqualTo(-1);
        assertThat(state.scheduledStart()).isNull();
        assertThat(state.failure()).isNull();
        assertThat(state.tags()).isEmpty();
    }

    @Nested
    class WithoutRoom {
        @Test
        void the_end_of_a_stack_trace_goes_first() {
            InstanceState kept = kept(failed(failure("it went boom", 20_000)));

            TaskFailureDetails failure = Objects.requireNonNull(kept.failure());
            assertThat(failure.getStackTrace().getValue()).endsWith("(cut: had 20000 characters)");
            assertThat(failure.getErrorMessage()).isEqualTo("it went boom");
            assertThat(kept.tags()).containsEntry("tenant", "a");
        }

        @Test
        void then_inner_failures() {
            TaskFailureDetails failure = failure("it went boom", 20_000).toBuilder()
                    .setInnerFailure(failure("x".repeat(17_000), 0))
                    .build();

            assertThat(kept(failed(failure)).failure())
                    .isEqualTo(TaskFailureDetails.newBuilder()
                            .setErrorType("Boom")
                            .setErrorMessage("it went boom")
                            .build());
        }

        @Test
        void then_the_end_of_the_message() {
            InstanceState kept = kept(failed(failure("x".repeat(17_000), 0)));

            assertThat(Objects.requireNonNull(kept.failure()).getErrorMessage())
                    .startsWith("xxx")
                    .endsWith("(cut: had 17000 characters)");
            assertThat(kept.tags()).containsEntry("tenant", "a");
        }

        @Test
        void then_the_longest_tags() {
            Map<String, String> tags = Map.of(
                    "tenant",
                    "a",
                    "short",
                    "x".repeat(7_000),
                    "long",
                    "x".repeat(9_500),
                    "longest",
                    "x".repeat(10_000));

            InstanceState kept = kept(begun(tags));

            assertThat(kept.tags()).containsOnlyKeys("tenant", "short");
            assertThat(kept.executionGuid()).isEqualTo("guid-1");
        }

        @Test
        void a_name_of_an_execution_that_is_no_GUID_goes() {
            var started = ExecutionStartedEvent.newBuilder();
            started.getOrchestrationInstanceBuilder().setExecutionId(Wire.text("x".repeat(2_000)));

            assertThat(kept(InstanceState.pending(started.build())).executionGuid())
                    .isEmpty();
        }

        @ParameterizedTest(name = "seed {0}")
        @ValueSource(longs = {1, 2, 3})
        void nothing_is_so_large_that_it_fails(long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            for (int round = 0; round < 30; round++) {
                InstanceState state = randomState(random);

                InstanceExt ext = state.toExt();

                assertThat(ext.json().getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(16 * 1024);
                InstanceState kept = InstanceState.of(ext).orElseThrow();
                assertThat(kept.status()).isEqualTo(state.status());
                assertThat(kept.completedAt()).isEqualTo(state.completedAt());
                assertThat(state.tags()).containsAllEntriesOf(kept.tags());
            }
        }

        private InstanceState randomState(SplittableRandom random) {
            TaskFailureDetails.Builder failure = TaskFailureDetails.newBuilder()
                    .setErrorType(text(random, 1_000))
                    .setErrorMessage(text(random, 40_000));
            for (int depth = random.nextInt(90); depth > 0; depth--) {
                failure = TaskFailureDetails.newBuilder()
                        .setErrorType(text(random, 10))
                        .setStackTrace(Wire.text(text(random, 200)))
                        .setInnerFailure(failure);
            }
            Map<String, String> tags = new HashMap<>();
            for (int i = random.nextInt(40); i > 0; i--) {
                tags.put(text(random, 40), text(random, 4_000));
            }
            return new InstanceState(
                    OrchestrationStatus.ORCHESTRATION_STATUS_FAILED,
                    text(random, 3_000),
                    tags,
                    "\"".repeat(random.nextInt(951)),
                    Integer.MAX_VALUE,
                    ENDED,
                    ENDED,
                    failure.build(),
                    1L << 53);
        }

        private String text(SplittableRandom random, int most) {
            String[] characters = {"x", "\"", "\u0001", "字", "🙂", "é"};
            String character = characters[random.nextInt(characters.length)];
            return character.repeat(random.nextInt(most) / character.length());
        }
    }

    private static InstanceState kept(InstanceState state) {
        return InstanceState.of(state.toExt()).orElseThrow();
    }

    private static InstanceState failed(TaskFailureDetails failure) {
        return begun(Map.of("tenant", "a")).ended(OrchestrationStatus.ORCHESTRATION_STATUS_FAILED, ENDED, failure);
    }

    private static TaskFailureDetails failure(String message, int stackTrace) {
        TaskFailureDetails.Builder failure =
                TaskFailureDetails.newBuilder().setErrorType("Boom").setErrorMessage(message);
        return stackTrace == 0
                ? failure.build()
                : failure.setStackTrace(Wire.text("s".repeat(stackTrace))).build();
    }

    private static InstanceState begun(Map<String, String> tags) {
        return InstanceState.begun(started(tags), "the parent", OrchestrationStatus.ORCHESTRATION_STATUS_RUNNING);
    }

    private static ExecutionStartedEvent started(Map<String, String> tags) {
        var started = ExecutionStartedEvent.newBuilder()
                .setName("Order")
                .setInput(Wire.text("[7]"))
                .putAllTags(tags)
                .setScheduledStartTimestamp(Wire.timestamp(Instant.parse("2026-06-15T08:00:00.000000001Z")));
        started.getOrchestrationInstanceBuilder().setExecutionId(Wire.text("guid-1"));
        return started.build();
    }
}
