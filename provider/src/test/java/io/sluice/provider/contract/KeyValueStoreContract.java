package io.sluice.provider.contract;

import static io.sluice.provider.contract.ContractItems.started;
import static io.sluice.provider.contract.ProviderSteps.META;
import static io.sluice.provider.contract.ProviderSteps.ackOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.history.EventKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Key values are set, cleared, kept over executions and gone with their instance. */
public abstract class KeyValueStoreContract extends KeyValueScenarios {
    /** Runs the category on stores from there. */
    protected KeyValueStoreContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_kv_set_and_get() {
        steps.create("x");

        set("counter", "42");

        hasValue("counter", "42");
    }

    @Test
    void test_kv_overwrite() {
        steps.create("x");
        set("status", "old");
        hasValue("status", "old");

        set("status", "new");

        hasValue("status", "new");
    }

    @Test
    void test_kv_clear_single() {
        steps.create("x");
        set("k", "v");
        hasValue("k", "v");

        steps.turn("x", 1, new EventKind.KeyValueCleared("k"));

        hasNo("k");
    }

    @Test
    void test_kv_clear_all() {
        steps.create("x");
        steps.turn("x", 1, value("a", "1"), value("b", "2"));

        steps.turn("x", 1, new EventKind.KeyValuesCleared());

        hasNo("a", "b");
    }

    @Test
    void test_kv_get_nonexistent() {
        steps.create("x");

        hasNo("k");
    }

    @Test
    void test_kv_snapshot_in_fetch() {
        steps.create("x");
        steps.turn("x", 1, value("x", "10"), value("y", "20"));
        steps.complete("x", 1);

        assertThat(snapshot()).containsOnly(Map.entry("x", "10"), Map.entry("y", "20"));
    }

    @Test
    void test_kv_snapshot_after_clear_single() {
        steps.create("x");
        steps.turn("x", 1, value("keep", "yes"), value("remove", "no"));
        steps.turn("x", 1, new EventKind.KeyValueCleared("remove"));
        steps.complete("x", 1);

        assertThat(snapshot()).containsOnly(Map.entry("keep", "yes"));
    }

    @Test
    void test_kv_snapshot_after_clear_all() {
        steps.create("x");
        steps.turn("x", 1, value("a", "1"), value("b", "2"));
        steps.turn("x", 1, new EventKind.KeyValuesCleared());

        assertThat(snapshot()).isEmpty();
    }

    @Test
    void test_kv_execution_id_tracking() {
        steps.create("x");
        set("shared", "from_exec_1");
        steps.continueAsNew("x", 2);
        steps.turn("x", 2, value("shared", "from_exec_2"));
        hasValue("shared", "from_exec_2");

        prune();

        hasValue("shared", "from_exec_2");
    }

    @Test
    void test_kv_cross_execution_overwrite() {
        steps.create("x");
        set("k", "v1");
        steps.continueAsNew("x", 2);

        steps.turn("x", 2, value("k", "v2"));

        hasValue("k", "v2");
    }

    @Test
    void test_kv_cross_execution_remove_readd() {
        steps.create("x");
        set("k", "exec1");
        steps.continueAsNew("x", 2);
        steps.turn("x", 2, new EventKind.KeyValueCleared("k"));
        hasNo("k");
        steps.continueAsNew("x", 3);

        steps.turn("x", 3, value("k", "exec3"));

        hasValue("k", "exec3");
    }

    @Test
    void test_kv_prune_preserves_overwritten() {
        steps.create("x");
        set("k", "v1");
        steps.continueAsNew("x", 2);
        steps.turn("x", 2, value("k", "v2"));

        prune();

        hasValue("k", "v2");
    }

    @Test
    void test_kv_prune_preserves_all_keys() {
        steps.create("x");
        set("orphan", "1");
        steps.continueAsNew("x", 2);
        steps.turn("x", 2, value("keeper", "2"));

        prune();

        hasValue("orphan", "1");
        hasValue("keeper", "2");
    }

    @Test
    void test_kv_instance_isolation() {
        steps.create("x");
        steps.create("y");
        set("k", "of x");
        steps.turn("y", 1, value("k", "of y"));

        hasValue("k", "of x");
        assertThat(provider().getKvValue("y", "k")).contains("of y");
    }

    @Test
    void test_kv_delete_instance_cascades() {
        steps.create("x");
        set("k", "v");
        steps.complete("x", 1);
        hasValue("k", "v");

        admin().deleteInstance("x", false);

        hasNo("k");
    }

    @Test
    void test_kv_clear_nonexistent_key() {
        steps.create("x");

        steps.turn("x", 1, new EventKind.KeyValueCleared("unknown"));

        hasNo("unknown");
    }

    @Test
    void test_kv_get_unknown_instance() {
        hasNo("k");
        assertThat(provider().getKvAllValues("x")).isEmpty();
    }

    @Test
    void test_kv_set_after_clear() {
        steps.create("x");
        steps.turn("x", 1, value("old_a", "1"), value("old_b", "2"));

        steps.turn("x", 1, new EventKind.KeyValuesCleared(), value("new_x", "fresh"));

        hasNo("old_a", "old_b");
        hasValue("new_x", "fresh");
    }

    @Test
    void test_kv_empty_value() {
        steps.create("x");

        set("k", "");

        hasValue("k", "");
    }

    @Test
    void test_kv_large_value() {
        steps.create("x");
        String large = "x".repeat(16_384);

        set("k", large);

        hasValue("k", large);
    }

    @Test
    void test_kv_special_chars_in_key() {
        List<String> keys = List.of("key with spaces", "日本語キー", "a.b.c", "path/like/key", "🔑");
        steps.create("x");

        steps.turn("x", 1, keys.stream().map(key -> value(key, "of " + key)).toArray(EventKind[]::new));

        keys.forEach(key -> hasValue(key, "of " + key));
    }

    @Test
    void test_kv_snapshot_empty() {
        steps.create("x");

        assertThat(snapshot()).isEmpty();
    }

    @Test
    void test_kv_snapshot_cross_execution() {
        steps.create("x");
        set("A", "1");
        steps.continueAsNew("x", 2);
        steps.turn("x", 2, value("B", "2"));

        assertThat(snapshot()).as("B belongs to the running execution").containsOnly(Map.entry("A", "1"));
    }

    @Test
    void test_kv_prune_current_execution_protected() {
        steps.create("x");
        set("k", "v");

        prune();

        hasValue("k", "v");
    }

    @Test
    void test_kv_delete_instance_with_children() {
        steps.create("parent");
        steps.turn("parent", 1, value("k", "of parent"));
        steps.complete("parent", 1);
        steps.start("child");
        steps.ack(ackOf(steps.fetchOf("child"), started("child")).withMetadata(META.withParent("parent")));
        steps.turn("child", 1, value("k", "of child"));
        steps.complete("child", 1);

        admin().deleteInstance("parent", false);

        assertThat(provider().getKvValue("parent", "k")).isEmpty();
        assertThat(provider().getKvValue("child", "k")).isEmpty();
    }

    @Test
    void test_kv_clear_isolation() {
        steps.create("a");
        steps.create("b");
        steps.turn("a", 1, value("k", "of a"));
        steps.turn("b", 1, value("k", "of b"));

        steps.turn("a", 1, new EventKind.KeyValuesCleared());

        assertThat(provider().getKvValue("a", "k")).isEmpty();
        assertThat(provider().getKvValue("b", "k")).contains("of b");
    }
}
