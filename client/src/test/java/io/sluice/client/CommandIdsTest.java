package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CommandIdsTest {
    private static final long NOW = 1_700_000_000_000L;

    @Test
    void ids_grow_within_a_millisecond_and_when_the_clock_steps_back() {
        var millis = new AtomicLong(NOW);
        var ids = new CommandIds(() -> Instant.ofEpochMilli(millis.get()), new SplittableRandom(1));
        var made = new ArrayList<String>();

        for (int i = 0; i < 10_000; i++) {
            made.add(ids.next());
            if (i == 5_000) {
                millis.addAndGet(-60_000);
            }
        }

        assertThat(made).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void an_id_is_a_uuid_of_version_7_that_begins_with_its_time() {
        var id = UUID.fromString(
                new CommandIds((InstantSource) () -> Instant.ofEpochMilli(NOW), new SplittableRandom(1)).next());

        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(NOW);
    }
}
