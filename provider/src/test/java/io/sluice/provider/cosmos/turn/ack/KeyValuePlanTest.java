package io.sluice.provider.cosmos.turn.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.KvEntry;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.turn.read.KeyValues;
import io.sluice.provider.document.KeyValueDeltaDocument;
import io.sluice.provider.document.KeyValueDocument;
import io.sluice.provider.document.UnknownFields;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.request.BatchWrite;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KeyValuePlanTest {
    private static final long NOW = 1_000;
    private final KeyValues before =
            KeyValues.of(List.of(committed("a", "1"), committed("b", "2")), List.of(delta("b", null), delta("c", "3")));

    @Test
    void a_running_execution_only_changes_its_own_layer() {
        KeyValuePlan plan = plan(false, new EventKind.KeyValueSet("a", "9", 5), new EventKind.KeyValueCleared("x"));

        assertThat(plan.writes()).hasOnlyElementsOfType(BatchWrite.Upsert.class);
        assertThat(plan.writes()).extracting(BatchWrite::id).containsExactly("i:kv_delta:a", "i:kv_delta:x");
        assertThat(plan.after().snapshot()).containsOnlyKeys("a", "b");
        assertThat(plan.after().merged()).containsOnlyKeys("a", "c").containsEntry("a", "9");
    }

    @Test
    void clearing_all_then_setting_leaves_just_the_new_key() {
        KeyValuePlan plan = plan(false, new EventKind.KeyValuesCleared(), new EventKind.KeyValueSet("n", "new", 5));

        assertThat(plan.after().merged()).containsOnlyKeys("n");
        assertThat(plan.after().deltas()).containsOnlyKeys("a", "b", "c", "n");
    }

    @Test
    void the_end_of_an_execution_commits_values_drops_tombstones_and_empties_the_layer() {
        KeyValuePlan plan = plan(true, new EventKind.KeyValueSet("a", "9", 5));

        assertThat(plan.after().deltas()).isEmpty();
        assertThat(plan.after().snapshot()).containsOnlyKeys("a", "c");
        assertThat(plan.after().snapshot()).containsEntry("a", new KvEntry("9", 5));
        assertThat(plan.writes().stream()
                        .filter(BatchWrite.Delete.class::isInstance)
                        .map(BatchWrite::id))
                .containsExactlyInAnyOrder("i:kv:b", "i:kv_delta:b", "i:kv_delta:c");
    }

    @Test
    void documents_keep_the_id_they_were_found_under() {
        KeyValues foreign = KeyValues.of(
                List.of(new KeyValueDocument("i:kv:path/like", "i", "path/like", "1", 1, 1, UnknownFields.NONE)),
                List.of());

        KeyValuePlan plan = KeyValuePlan.of(
                "i", foreign, List.of(event(new EventKind.KeyValueSet("path/like", "2", 5))), 1, true, NOW);

        assertThat(plan.writes()).extracting(BatchWrite::id).containsExactly("i:kv:path/like");
    }

    @Test
    void a_key_beside_too_long_an_instance_id_is_refused_by_name() {
        String longest = "i".repeat(947);
        List<HistoryEvent> events = List.of(event(new EventKind.KeyValueSet("k".repeat(200), "1", 5)));
        KeyValues none = KeyValues.of(List.of(), List.of());

        assertThat(KeyValuePlan.of(longest, none, events, 1, false, NOW).writes())
                .hasSize(1);
        assertThatThrownBy(() -> KeyValuePlan.of(longest + "i", none, events, 1, false, NOW))
                .isInstanceOf(ProviderException.class)
                .hasMessageContaining("': key makes a document id of 1024 bytes of UTF-8, the limit is 1023");
    }

    private KeyValuePlan plan(boolean terminal, EventKind... kinds) {
        List<HistoryEvent> events =
                Arrays.stream(kinds).map(KeyValuePlanTest::event).toList();
        return KeyValuePlan.of("i", before, events, 1, terminal, NOW);
    }

    private static HistoryEvent event(EventKind kind) {
        return HistoryEvent.of(1, "i", 1, NOW, "0.1.32", kind);
    }

    private static KeyValueDocument committed(String key, String value) {
        return new KeyValueDocument("i:kv:" + key, "i", key, value, 1, 1, UnknownFields.NONE);
    }

    private static KeyValueDeltaDocument delta(String key, @Nullable String value) {
        return new KeyValueDeltaDocument("i:kv_delta:" + key, "i", key, value, 1, 1, UnknownFields.NONE);
    }
}
