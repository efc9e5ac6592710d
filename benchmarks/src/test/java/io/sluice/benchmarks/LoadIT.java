package io.sluice.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The load programs still work, as small as they can be. Times of such runs say nothing. */
@Tag("thorough")
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LoadIT {
    @Test
    void runtimes_take_turns_that_are_announced() throws IOException {
        Load.main(new String[] {
            "dispatch", "ways=announced", "partitions=1", "processes=2", "turns=8", "paced=2", "idle=1", "settle=0"
        });

        assertThat(lines("dispatch")).contains("\"case\":\"announced-1-2\"", "\"requestsPerTurn\":");
    }

    @Test
    void relays_deliver_publish_and_take_over() throws IOException {
        Load.main(new String[] {
            "relay", "partitions=1", "relays=2", "intents=10", "turns=2", "runs=1", "warmups=0", "idle=1"
        });

        assertThat(lines("relay")).contains("\"intentsPerSecond\":", "\"eventsPerSecond\":", "\"takeoverSeconds\":");
    }

    private static String lines(String load) throws IOException {
        return Files.readString(Path.of("target", "load", load + ".jsonl"));
    }
}
