package io.sluice.provider.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.history.EventKind;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Keys of the running execution lie over those of finished ones; clients see both, a fetch only the lower. */
public abstract class KeyValueDeltaContract extends KeyValueScenarios {
    /** Runs the category on stores from there. */
    protected KeyValueDeltaContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_kv_delta_snapshot_excludes_current_execution() {
        steps.create("x");

        steps.turn("x", 1, new EventKind.KeyValueSet("counter", "1", 100));

        hasValue("counter", "1");
        assertThat(snapshot()).isEmpty();
    }

    @Test
    void test_kv_delta_snapshot_includes_completed_execution() {
        steps.create("x");
        set("counter", "5");
        steps.continueAsNew("x", 2);

        assertThat(snapshot()).containsOnly(Map.entry("counter", "5"));
    }

    @Test
    void test_kv_delta_client_reads_merged() {
        steps.create("x");
        steps.turn("x", 1, value("color", "red"), value("size", "large"));
        steps.complete("x", 1);

        steps.turn("x", 2, value("color", "blue"), value("shape", "circle"));

        hasValue("color", "blue");
        hasValue("size", "large");
        hasValue("shape", "circle");
    }

    @Test
    void test_kv_delta_tombstone_overrides_store() {
        steps.create("x");
        set("temp", "1");
        steps.complete("x", 1);

        steps.turn("x", 2, new EventKind.KeyValueCleared("temp"));

        hasNo("temp");
    }

    @Test
    void test_kv_delta_clear_all_tombstones_store() {
        steps.create("x");
        steps.turn("x", 1, value("a", "1"), value("b", "2"));
        steps.complete("x", 1);

        steps.turn("x", 2, new EventKind.KeyValuesCleared(), value("c", "3"));

        hasNo("a", "b");
        hasValue("c", "3");
    }

    @Test
    void test_kv_delta_merged_on_completion() {
        steps.create("x");
        set("result", "42");

        steps.complete("x", 1);

        hasValue("result", "42");
    }

    @Test
    void test_kv_delta_merged_on_can() {
        steps.create("x");
        steps.turn("x", 1, value("version", "1"), value("progress", "50%"));
        set("progress", "100%");

        steps.continueAsNew("x", 2);

        assertThat(snapshot()).containsOnly(Map.entry("version", "1"), Map.entry("progress", "100%"));
    }

    @Test
    void test_kv_delta_delete_instance_cascades() {
        steps.create("x");
        set("k", "v");

        admin().deleteInstance("x", true);

        hasNo("k");
    }

    @Test
    void test_kv_delta_prune_untouched_key_survives() {
        steps.create("x");
        set("stale_config", "1");
        steps.continueAsNew("x", 2);
        steps.turn("x", 2, value("other", "2"));
        steps.continueAsNew("x", 3);

        prune();

        hasValue("stale_config", "1");
        hasValue("other", "2");
        assertThat(snapshot()).containsEntry("stale_config", "1").containsEntry("other", "2");
    }
}
