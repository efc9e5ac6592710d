package io.sluice.examples.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.examples.runtime.OrchestrationContext;
import io.sluice.examples.runtime.OrchestrationContext.Winner;
import io.sluice.examples.runtime.Registry;
import io.sluice.examples.runtime.RuntimeConfig;
import io.sluice.provider.InstanceStats;
import io.sluice.provider.Provider;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.PruneResult;
import io.sluice.provider.TagFilter;
import io.sluice.provider.contract.ContractStores;
import io.sluice.provider.contract.ProviderSteps;
import io.sluice.provider.history.EventKind;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tags, key values, pruning and statistics end to end. */
public abstract class SampleStateContract extends EndToEndScenarios {
    private static final TagFilter GPU = TagFilter.tags(Set.of("gpu"));

    /** Runs the category on stores from there. */
    protected SampleStateContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void sample_self_pruning_eternal_orchestration() {
        AtomicInteger prunes = new AtomicInteger();
        AtomicLong removed = new AtomicLong();
        Registry code = new Registry()
                .activity("Batch", item -> "batch")
                .activity("PruneSelf", item -> {
                    PruneResult result = client.admin().pruneExecutions(item.instance(), PruneOptions.keepLast(1));
                    prunes.incrementAndGet();
                    removed.addAndGet(result.executionsDeleted());
                    return "pruned";
                })
                .orchestration("Eternal", (context, input) -> {
                    int batch = Integer.parseInt(input);
                    context.activity("Batch", input).await();
                    context.activity("PruneSelf", "").await();
                    if (batch < 5) {
                        throw context.continueAsNew(Integer.toString(batch + 1), null);
                    }
                    return "Completed " + batch + " batches";
                });

        assertThat(outputOf(code, "Eternal", "1")).isEqualTo("Completed 5 batches");
        assertThat(prunes.get()).isGreaterThanOrEqualTo(4);
        assertThat(removed.get()).isGreaterThanOrEqualTo(3);
        assertThat(client.admin().listExecutions("x")).containsExactly(5L);
    }

    @Test
    void sample_heterogeneous_workers_with_tags() {
        Registry code = new Registry()
                .activity("Render", item -> "rendered:" + item.input())
                .activity("Encode", item -> "encoded:" + item.input())
                .activity("Upload", item -> "uploaded:" + item.input())
                .orchestration(
                        "Media",
                        (context, input) -> tagged(
                                context,
                                "Upload",
                                tagged(context, "Encode", tagged(context, "Render", input, "gpu"), "cpu")));
        RuntimeConfig options = CONFIG.withTags(TagFilter.defaultAnd(Set.of("gpu", "cpu")));

        assertThat(outputOf(code, options, "Media", "frame42")).isEqualTo("uploaded:encoded:rendered:frame42");
        assertThat(eventsOf("x", EventKind.ActivityScheduled.class))
                .extracting(EventKind.ActivityScheduled::tag)
                .containsExactly("gpu", "cpu", null);
    }

    private static String tagged(OrchestrationContext context, String activity, String input, String... tag) {
        return context.activity(activity, input, null, tag.length == 0 ? null : tag[0])
                .await();
    }

    @Test
    void sample_starvation_safe_tagged_activity() {
        Registry code = new Registry()
                .activity("Gpu", item -> "gpu:" + item.input())
                .activity("Cpu", item -> "cpu_fallback:" + item.input())
                .orchestration("Fallback", (context, input) -> {
                    Winner won = context.race(
                            context.activity("Gpu", input, null, "gpu"), context.timer(Duration.ofMillis(500)));
                    return won.index() == 0
                            ? won.result()
                            : context.activity("Cpu", input).await();
                });

        assertThat(outputOf(code, "Fallback", "model-v3")).isEqualTo("cpu_fallback:model-v3");
        assertThat(steps.tryWork(ProviderSteps.LONG, null, GPU))
                .as("the activity nobody served is cancelled")
                .isEmpty();
    }

    @Test
    void sample_dual_runtime_tag_cooperation() {
        cooperate(provider(), "dataset-v5");
    }

    @Test
    void sample_dual_provider_tag_cooperation() {
        cooperate(store().anotherProvider(), "dataset-v7");
    }

    private void cooperate(Provider ofSecond, String input) {
        Registry code = new Registry()
                .activity("Preprocess", item -> "preprocessed:" + item.input())
                .activity("Train", item -> "trained:" + item.input())
                .activity("Save", item -> "saved:" + item.input())
                .orchestration(
                        "Train",
                        (context, data) -> tagged(
                                context, "Save", tagged(context, "Train", tagged(context, "Preprocess", data), "gpu")));
        RuntimeConfig gpuOnly = CONFIG.withThreads(0, 2).withTags(GPU);

        String output = during(ofSecond, code, gpuOnly, () -> outputOf(code, "Train", input));

        assertThat(output).isEqualTo("saved:trained:preprocessed:" + input);
        assertThat(eventsOf("x", EventKind.ActivityScheduled.class))
                .extracting(EventKind.ActivityScheduled::tag)
                .containsExactly(null, "gpu", null);
    }

    @Test
    void sample_kv_request_response() {
        List<String> operations = List.of("hello", "world", "rust");
        Registry code = new Registry()
                .activity(
                        "Reverse",
                        item -> new StringBuilder(item.input()).reverse().toString())
                .orchestration("Server", (context, input) -> {
                    context.setValue("status", "ready");
                    for (int i = 1; i <= operations.size(); i++) {
                        String request = context.externalEvent("request").await();
                        context.setValue(
                                "response:op-" + i,
                                context.activity("Reverse", request).await());
                    }
                    context.setValue("status", "shutdown");
                    return "served " + operations.size() + " requests";
                });
        client.start("x", "Server", "");

        during(code, CONFIG, () -> {
            awaitValue("x", "status", "ready");
            for (int i = 1; i <= operations.size(); i++) {
                client.raise("x", "request", operations.get(i - 1));
                awaitValue(
                        "x",
                        "response:op-" + i,
                        new StringBuilder(operations.get(i - 1)).reverse().toString());
            }
            assertThat(client.output("x", SOON)).isEqualTo("served 3 requests");
        });
        assertThat(provider().getKvAllValues("x"))
                .containsEntry("status", "shutdown")
                .containsEntry("response:op-1", "olleh")
                .containsEntry("response:op-2", "dlrow")
                .containsEntry("response:op-3", "tsur");
    }

    @Test
    void sample_kv_cross_orchestration_read() {
        Registry code = new Registry()
                .activity(
                        "Square",
                        item -> Integer.toString(Integer.parseInt(item.input()) * Integer.parseInt(item.input())))
                .activity(
                        "ReadValue",
                        item -> provider().getKvValue("producer", item.input()).orElse(""))
                .orchestration("Producer", (context, input) -> {
                    String result = context.activity("Square", input).await();
                    context.setValue("result", result);
                    context.setValue("status", "ready");
                    context.externalEvent("ack").await();
                    return "produced:" + result;
                })
                .orchestration("Consumer", (context, input) -> {
                    while (!context.activity("ReadValue", "status").await().equals("ready")) {
                        context.timer(Duration.ofMillis(200)).await();
                    }
                    return "consumed:" + context.activity("ReadValue", "result").await();
                });
        client.start("consumer", "Consumer", "");
        client.start("producer", "Producer", "7");

        during(code, CONFIG, () -> {
            assertThat(client.output("consumer", SOON)).isEqualTo("consumed:49");
            client.raise("producer", "ack", "");
            assertThat(client.output("producer", SOON)).isEqualTo("produced:49");
        });
        assertThat(provider().getKvAllValues("producer"))
                .containsEntry("status", "ready")
                .containsEntry("result", "49");
    }

    @Test
    void sample_kv_read_modify_write_counter() {
        List<String> words = List.of("alpha", "beta", "gamma");
        Registry code = new Registry()
                .activity("Process", item -> "processed:" + item.input())
                .orchestration("Counter", (context, input) -> {
                    for (String word : words) {
                        String result = context.activity("Process", word).await();
                        int count = Integer.parseInt(context.getValue("counter").orElse("0"));
                        context.setValue("counter", Integer.toString(count + 1));
                        context.setValue("last_result", result);
                    }
                    return context.getValue("counter").orElseThrow();
                });

        assertThat(outputOf(code, "Counter", "")).isEqualTo("3");
        assertThat(provider().getKvValue("x", "last_result")).contains("processed:gamma");
    }

    @Test
    void sample_orchestration_stats() {
        assertThat(provider().getInstanceStats("x")).isEmpty();
        Registry code = new Registry().activity("Echo", ECHO).orchestration("Measured", (context, input) -> {
            context.setValue("a", "one");
            context.setValue("b", "two");
            return context.activity("Echo", input).await();
        });

        outputOf(code, "Measured", "x");

        InstanceStats stats = provider().getInstanceStats("x").orElseThrow();
        assertThat(stats.historyEventCount()).isGreaterThanOrEqualTo(4);
        assertThat(stats.historySizeBytes()).isPositive();
        assertThat(stats.kvUserKeyCount()).isEqualTo(2);
        assertThat(stats.kvTotalValueBytes()).isPositive();
        assertThat(stats.queuePendingCount()).isZero();
    }

    private void awaitValue(String instance, String key, String value) {
        client.await(
                key + " to be " + value,
                SOON,
                () -> provider().getKvValue(instance, key).filter(value::equals).isPresent());
    }
}
