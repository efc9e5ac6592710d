package io.sluice.relay.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.program.PrerequisiteException;
import io.sluice.relay.event.EventId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EventIndexTest {
    private static final Digest VALUE = Digest.of("value".getBytes(UTF_8));
    private static final List<String> IDS = List.of("", "a", "aa", "b", "ä", "a\u0000", "a:1", "order-1", "order-10");

    @TempDir
    Path directory;

    private static StoredEntry stored(String instance, long execution, long event) {
        return new StoredEntry(new EventId(instance, execution, event, -7), 1_000, VALUE);
    }

    private static PublishedEntry published(String instance, int partition, long offset) {
        var id = new EventId(instance, 1, offset, 7);
        return new PublishedEntry(partition, offset, instance, id, id.toString(), VALUE);
    }

    private static PublishedEntry deletion(String instance) {
        return new PublishedEntry(9, 1, instance, null, instance + ":deleted:é", VALUE);
    }

    @Test
    void entries_of_an_instance_come_together_and_in_order() {
        var seen = new ArrayList<InstanceEntries>();
        try (var index = EventIndex.in(directory)) {
            for (int offset = 300; offset > 0; offset -= 100) {
                for (var instance : IDS) {
                    index.putPublished(published(instance, 0, offset));
                }
            }
            for (var instance : IDS) {
                index.putStored(stored(instance, 2, 1));
                index.putStored(stored(instance, 1, 300));
                index.putWaiting(stored(instance, 2, 1).id());
                index.putPublished(deletion(instance));
            }
            index.forEach(seen::add);
        }

        assertThat(seen).extracting(InstanceEntries::instance).containsExactlyInAnyOrderElementsOf(IDS);
        assertThat(seen).allSatisfy(entries -> {
            var instance = entries.instance();
            assertThat(entries.stored()).containsExactly(stored(instance, 1, 300), stored(instance, 2, 1));
            assertThat(entries.waiting())
                    .isEqualTo(Set.of(stored(instance, 2, 1).id()));
            assertThat(entries.published())
                    .containsExactly(
                            published(instance, 0, 100),
                            published(instance, 0, 200),
                            published(instance, 0, 300),
                            deletion(instance));
        });
    }

    @Test
    void nothing_is_left_of_it() {
        try (var index = EventIndex.in(directory)) {
            index.putStored(stored("a", 1, 1));
            assertThat(directory).isNotEmptyDirectory();
        }

        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void a_directory_that_is_not_there_is_named() {
        var missing = directory.resolve("missing");

        assertThatThrownBy(() -> EventIndex.in(missing))
                .isInstanceOf(PrerequisiteException.class)
                .hasMessageContaining(missing.toString());
    }
}
