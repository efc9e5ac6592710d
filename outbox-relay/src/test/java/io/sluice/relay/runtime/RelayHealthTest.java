package io.sluice.relay.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.watch.Liveness;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RelayHealthTest {
    @Test
    void whether_it_lives_is_told_by_the_signs_alone() {
        var health = new RelayHealth(
                () -> {
                    throw new AssertionError("a part that hangs gives no status");
                },
                () -> List.of(new Liveness.Worker("the intake of commands", true, Duration.ofMinutes(6))),
                Duration.ofMinutes(5));

        assertThat(health.lifeFaults())
                .containsExactly("the intake of commands has not come through for 360 s, allowed are 300 s");
    }
}
