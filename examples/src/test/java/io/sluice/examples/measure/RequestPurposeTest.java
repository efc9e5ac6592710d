package io.sluice.examples.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WorkTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '!',
            value = {
                "BATCH       | delete:m1,create:A-1:history:1:2,create:w1,replace:A-1:instance      | TURN_ACK",
                "BATCH       | delete:m1,replace:A-1:instance                                       | TURN_ACK",
                "BATCH       | patch:A-1:instance,patch:m1,patch:m2                                 | TURN_FETCH",
                "BATCH       | create:A-1:instance,patch:m1                                         | TURN_FETCH",
                "BATCH       | delete:w1,create:m9                                                  | ACTIVITY_ACK",
                "BATCH       | create:receipt:A-1:1:abc.000000,create:outbox:A-1:1:abc.000000        | INTENT_DELIVERY",
                "BATCH       | delete:intent:A-1:1:abc.000000                                       | INTENT_DELIVERY",
                "BATCH       | create:receipt:cmd:start-A-1,create:0197                             | COMMAND",
                "QUERY       | SELECT TOP 4 c.id FROM c WHERE c.type = 'orch_queue' ORDER BY c.enqueuedAt   | TURN_FETCH",
                "QUERY       | SELECT TOP 4 c.id FROM c WHERE c.type = 'worker_queue' ORDER BY c.enqueuedAt | ACTIVITY_FETCH",
                "QUERY       | SELECT c.id FROM c WHERE ((c.type = \"worker_queue\")) ORDER BY c.enqueuedAt  | ACTIVITY_FETCH",
                "BATCH       | patch:w1                                                              | ACTIVITY_FETCH",
                "QUERY       | SELECT * FROM c WHERE c.type IN ('instance') OR c.type = 'outbox_intent'     | TURN_FETCH",
                "QUERY       | SELECT * FROM c WHERE c.type = 'outbox_intent'                        | INTENT_DELIVERY",
                "ITEM_PATCH  | !!                                                                   | ACTIVITY_FETCH",
                "CHANGE_FEED | !!                                                                   | CHANGE_FEED",
                "QUERY_PLAN  | SELECT * FROM c                                                      | OTHER",
            })
    void a_request_is_counted_for_what_it_is_for(RequestKind kind, String body, RequestPurpose work) {
        assertThat(RequestPurpose.of(request(kind, body, "orders"), "orders")).isEqualTo(work);
    }

    @ParameterizedTest
    @CsvSource("sinks")
    void requests_to_other_containers_are_counted_apart(String container) {
        assertThat(RequestPurpose.of(request(RequestKind.ITEM_REPLACE, "", container), "orders"))
                .isEqualTo(RequestPurpose.OTHER);
    }

    private static LoggedRequest request(RequestKind kind, String body, String container) {
        return new LoggedRequest(
                1,
                Instant.EPOCH,
                kind,
                "POST",
                "/",
                container,
                null,
                null,
                body,
                200,
                0,
                1,
                0,
                0,
                0,
                0,
                Duration.ZERO,
                "",
                null,
                "",
                "",
                null);
    }
}
