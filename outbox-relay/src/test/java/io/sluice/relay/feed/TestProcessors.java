package io.sluice.relay.feed;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Change feed processors for tests. */
final class TestProcessors {
    private TestProcessors() {}

    /** A processor with pages of 10 that polls every 300 ms. */
    static IntentProcessor processor(
            FeedClient client, String owner, Function<List<JsonNode>, CompletableFuture<Void>> deliver) {
        var poll = Duration.ofMillis(300);
        return new IntentProcessor(
                client, new LeaseOwner("test-", owner), new ReadPace(10, poll, poll), Duration.ofSeconds(5), deliver);
    }
}
