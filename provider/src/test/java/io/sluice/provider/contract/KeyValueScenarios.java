package io.sluice.provider.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.history.EventKind;
import java.util.Map;
import java.util.stream.Collectors;

/** The steps that scenarios of key values share. */
abstract class KeyValueScenarios extends ProviderContract {
    KeyValueScenarios(ContractStores stores) {
        super(stores);
    }

    static EventKind value(String key, String value) {
        return new EventKind.KeyValueSet(key, value, 0);
    }

    final void set(String key, String value) {
        steps.turn("x", 1, value(key, value));
    }

    final void hasValue(String key, String value) {
        assertThat(provider().getKvValue("x", key)).as("value of %s", key).contains(value);
    }

    final void hasNo(String... keys) {
        for (String key : keys) {
            assertThat(provider().getKvValue("x", key)).as("value of %s", key).isEmpty();
        }
    }

    final void prune() {
        admin().pruneExecutions("x", PruneOptions.keepLast(1));
    }

    /** What a turn of {@code x} sees. */
    final Map<String, String> snapshot() {
        steps.poke("x");
        LockedTurn turn = steps.fetchOf("x");
        return turn.item().kvSnapshot().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().value()));
    }
}
