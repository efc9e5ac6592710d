package io.sluice.provider.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.CustomStatus;
import io.sluice.provider.history.EventKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The last status of a turn is kept, and each turn that touches it counts its version up. */
public abstract class CustomStatusContract extends ProviderContract {
    /** Runs the category on stores from there. */
    protected CustomStatusContract(ContractStores stores) {
        super(stores);
    }

    @BeforeEach
    void create() {
        steps.create("x");
    }

    @Test
    void test_custom_status_set() {
        set("progress");

        assertThat(provider().getCustomStatus("x", 0)).contains(new CustomStatus("progress", 1));
    }

    @Test
    void test_custom_status_clear() {
        set("temp");
        set(null);

        assertThat(provider().getCustomStatus("x", 0)).contains(new CustomStatus(null, 2));
    }

    @Test
    void test_custom_status_none_preserves() {
        set("keep-me");
        steps.turn("x", 1);

        assertThat(provider().getCustomStatus("x", 0)).contains(new CustomStatus("keep-me", 1));
    }

    @Test
    void test_custom_status_version_increments() {
        set("a");
        assertThat(provider().getCustomStatus("x", 0)).contains(new CustomStatus("a", 1));
        set("b");
        assertThat(provider().getCustomStatus("x", 0)).contains(new CustomStatus("b", 2));
        set(null);
        assertThat(provider().getCustomStatus("x", 0)).contains(new CustomStatus(null, 3));
    }

    @Test
    void test_custom_status_polling_no_change() {
        set("v1");

        assertThat(provider().getCustomStatus("x", 1)).isEmpty();
        assertThat(provider().getCustomStatus("x", 0)).isPresent();
    }

    @Test
    void test_custom_status_nonexistent_instance() {
        assertThat(provider().getCustomStatus("unknown", 0)).isEmpty();
    }

    @Test
    void test_custom_status_default_on_new_instance() {
        assertThat(provider().getCustomStatus("x", 0)).isEmpty();
    }

    private void set(@Nullable String status) {
        steps.turn("x", 1, new EventKind.CustomStatusUpdated(status));
    }
}
