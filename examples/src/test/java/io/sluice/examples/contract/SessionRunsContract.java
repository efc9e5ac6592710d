package io.sluice.examples.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.examples.runtime.OrchestrationContext;
import io.sluice.examples.runtime.Registry;
import io.sluice.examples.runtime.RuntimeConfig;
import io.sluice.examples.runtime.Step;
import io.sluice.provider.contract.ContractStores;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Sessions end to end: who runs what, and what of a session its activities see. */
public abstract class SessionRunsContract extends EndToEndScenarios {
    private static final RuntimeConfig NODE = withNode("node-1", 10).withThreads(2, 4);

    /** Runs the category on stores from there. */
    protected SessionRunsContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_session_activity_basic() {
        assertThat(outputOf(echoing("hello", "world"), "InOrder", "s")).isEqualTo("echo:hello|echo:world");
    }

    private static Registry echoing(String... inputs) {
        return new Registry().activity("Work", ECHO).orchestration("InOrder", (context, session) -> {
            List<String> results = new ArrayList<>();
            for (String input : inputs) {
                results.add(context.activityInSession(session, "Work", input).await());
            }
            return String.join("|", results);
        });
    }

    @Test
    void test_session_id_visible_in_activity_context() {
        assertThat(outputOf(seeing("test-session-123"), "Sees", "")).isEqualTo("test-session-123");
    }

    private static Registry seeing(String session) {
        return new Registry()
                .activity("See", item -> String.valueOf(item.sessionId()))
                .orchestration(
                        "Sees",
                        (context, input) ->
                                context.activityInSession(session, "See", "").await());
    }

    @Test
    void test_mixed_session_and_regular_activities() {
        Registry code = new Registry()
                .activity("Work", ECHO)
                .orchestration(
                        "Mixed",
                        (context, input) -> context.activity("Work", "a").await() + "|"
                                + context.activityInSession("s", "Work", "b").await() + "|"
                                + context.activity("Work", "c").await());

        assertThat(outputOf(code, "Mixed", "")).isEqualTo("echo:a|echo:b|echo:c");
    }

    @Test
    void test_multiple_sessions_in_orchestration() {
        Registry code = new Registry()
                .activity("Same", item -> item.input())
                .orchestration(
                        "Several",
                        (context, input) -> context.activityInSession("A", "Same", "a")
                                        .await() + "|"
                                + context.activityInSession("B", "Same", "b").await() + "|"
                                + context.activityInSession("A", "Same", "c").await());

        assertThat(outputOf(code, "Several", "")).isEqualTo("a|b|c");
    }

    @Test
    void test_session_with_worker_node_id_completes() {
        Registry code = new Registry()
                .activity("Work", item -> "done:" + item.input())
                .orchestration(
                        "InOrder",
                        (context, input) -> context.activityInSession("s", "Work", "a")
                                        .await() + "|"
                                + context.activityInSession("s", "Work", "b").await() + "|"
                                + context.activityInSession("s", "Work", "c").await());

        assertThat(outputOf(code, NODE, "InOrder", "")).isEqualTo("done:a|done:b|done:c");
    }

    @Test
    void test_session_fan_out_same_session() {
        AtomicInteger runs = new AtomicInteger();
        Registry code = counting(runs)
                .orchestration(
                        "FanOut",
                        (context, input) -> joined(
                                context,
                                context.activityInSession("s", "Work", "a"),
                                context.activityInSession("s", "Work", "b"),
                                context.activityInSession("s", "Work", "c")));

        assertThat(outputOf(code, NODE, "FanOut", "")).isEqualTo("echo:a|echo:b|echo:c");
        assertThat(runs.get()).isGreaterThanOrEqualTo(3);
    }

    private static Registry counting(AtomicInteger runs) {
        return new Registry().activity("Work", item -> {
            runs.incrementAndGet();
            return ECHO.run(item);
        });
    }

    private static String joined(OrchestrationContext context, Step... steps) {
        return String.join("|", context.awaitAll(List.of(steps)));
    }

    @Test
    void test_copilot_sdk_session_pattern() {
        Map<String, List<String>> cache = new ConcurrentHashMap<>();
        AtomicInteger created = new AtomicInteger();
        Registry code = new Registry()
                .activity("Turn", item -> {
                    List<String> messages = cache.computeIfAbsent(String.valueOf(item.sessionId()), session -> {
                        created.incrementAndGet();
                        return new CopyOnWriteArrayList<>();
                    });
                    messages.add(item.input());
                    messages.add("answer to " + item.input());
                    return Integer.toString(messages.size());
                })
                .orchestration(
                        "Chat",
                        (context, input) -> context.activityInSession("chat-" + input, "Turn", input)
                                .await());
        client.start("one", "Chat", "1");
        client.start("two", "Chat", "2");

        during(code, withNode("node-1", 10), () -> {
            assertThat(client.output("one", SOON)).isEqualTo("2");
            assertThat(client.output("two", SOON)).isEqualTo("2");
        });
        assertThat(created.get()).isEqualTo(2);
        assertThat(cache.get("chat-1")).hasSize(2);
    }

    @Test
    void test_session_activity_typed() {
        Registry code = new Registry()
                .activity("Double", item -> Integer.toString(2 * Integer.parseInt(item.input())))
                .orchestration(
                        "Typed",
                        (context, input) ->
                                context.activityInSession("s", "Double", input).await());

        assertThat(outputOf(code, "Typed", "21")).isEqualTo("42");
    }

    @Test
    void test_session_worker_node_id_multiple_sessions_parallel() {
        AtomicInteger runs = new AtomicInteger();
        Registry code = new Registry()
                .activity("Count", item -> {
                    runs.incrementAndGet();
                    return "counted";
                })
                .orchestration(
                        "Parallel",
                        (context, input) -> joined(
                                context,
                                context.activityInSession("s1", "Count", ""),
                                context.activityInSession("s2", "Count", ""),
                                context.activityInSession("s3", "Count", "")));

        assertThat(outputOf(code, NODE, "Parallel", "")).isEqualTo("counted|counted|counted");
        assertThat(runs.get()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void test_ephemeral_session_still_works() {
        RuntimeConfig one = CONFIG.withThreads(2, 1);

        assertThat(outputOf(echoing("a", "b"), one, "InOrder", "s")).isEqualTo("echo:a|echo:b");
    }

    @Test
    void test_session_with_worker_node_id_activity_context_has_session_id() {
        RuntimeConfig pod = withNode("k8s-pod-name", 10);

        assertThat(outputOf(seeing("my-session"), pod, "Sees", "")).isEqualTo("my-session");
    }

    @Test
    void test_two_slots_serve_same_session_concurrently() {
        AtomicInteger most = new AtomicInteger();

        outputOf(overlapping(most), withNode("node-1", 10), "Overlap", "");

        assertThat(most.get()).as("activities of the session at one time").isEqualTo(2);
    }

    @Test
    void test_ephemeral_same_session_serialized() {
        AtomicInteger most = new AtomicInteger();

        outputOf(overlapping(most), CONFIG, "Overlap", "");

        assertThat(most.get()).as("activities of the session at one time").isEqualTo(1);
    }

    /** A long and a short activity of one session; notes how many ran at one time. */
    private static Registry overlapping(AtomicInteger most) {
        AtomicInteger running = new AtomicInteger();
        return new Registry()
                .activity("Work", item -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    try {
                        return taking(Long.parseLong(item.input()), "ok").run(item);
                    } finally {
                        running.decrementAndGet();
                    }
                })
                .orchestration(
                        "Overlap",
                        (context, input) -> joined(
                                context,
                                context.activityInSession("s", "Work", "1000"),
                                context.activityInSession("s", "Work", "400")));
    }

    @Test
    void test_session_fan_out_fan_in() {
        Registry code = new Registry()
                .activity("Process", item -> "processed:" + item.input())
                .orchestration(
                        "FanOut",
                        (context, input) -> joined(
                                context,
                                context.activityInSession("session-0", "Process", "0"),
                                context.activityInSession("session-1", "Process", "1"),
                                context.activityInSession("session-2", "Process", "2")));

        assertThat(outputOf(code, NODE, "FanOut", "")).isEqualTo("processed:0|processed:1|processed:2");
    }

    @Test
    void test_session_fan_out_mixed_with_regular() {
        Registry code = new Registry()
                .activity("Work", ECHO)
                .orchestration(
                        "Mixed",
                        (context, input) -> joined(
                                context,
                                context.activityInSession("s", "Work", "1"),
                                context.activity("Work", "2"),
                                context.activityInSession("s", "Work", "3"),
                                context.activity("Work", "4")));

        assertThat(outputOf(code, NODE, "Mixed", "")).isEqualTo("echo:1|echo:2|echo:3|echo:4");
    }

    @Test
    void test_fan_out_multiple_per_session_mixed() {
        Registry code = new Registry()
                .activity("Work", ECHO)
                .orchestration(
                        "Mixed",
                        (context, input) -> joined(
                                context,
                                context.activityInSession("A", "Work", "1"),
                                context.activityInSession("B", "Work", "2"),
                                context.activityInSession("A", "Work", "3"),
                                context.activityInSession("B", "Work", "4"),
                                context.activity("Work", "5"),
                                context.activity("Work", "6")));

        assertThat(outputOf(code, NODE, "Mixed", "")).isEqualTo("echo:1|echo:2|echo:3|echo:4|echo:5|echo:6");
    }

    @Test
    void test_session_survives_continue_as_new() {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        Registry code = new Registry()
                .activity("Track", item -> {
                    seen.add(String.valueOf(item.sessionId()));
                    return "tracked:" + item.input();
                })
                .orchestration("Iterates", (context, input) -> {
                    String tracked = context.activityInSession("lasting", "Track", "iter-" + input)
                            .await();
                    if (input.equals("0")) {
                        throw context.continueAsNew("1", null);
                    }
                    return tracked;
                });
        RuntimeConfig single = withNode("node-1", 10).withThreads(1, 1);

        assertThat(outputOf(code, single, "Iterates", "0")).isEqualTo("tracked:iter-1");
        assertThat(seen).containsExactly("lasting");
    }

    @Test
    void test_session_continue_as_new_versioned_upgrade() {
        Registry code = new Registry()
                .activity("Work", item -> "done:" + item.input())
                .orchestration("Upgrades", "1.0.0", (context, input) -> {
                    throw context.continueAsNew(
                            context.activityInSession("s", "Work", "from-v1").await(), "2.0.0");
                })
                .orchestration(
                        "Upgrades",
                        "2.0.0",
                        (context, input) -> input + "+"
                                + context.activityInSession("s", "Work", "from-v2")
                                        .await())
                .setDefaultVersion("Upgrades", "1.0.0");
        RuntimeConfig node = withNode("node-1", 10);

        assertThat(outputOf(code, node, "Upgrades", "")).isEqualTo("done:from-v1+done:from-v2");
    }
}
