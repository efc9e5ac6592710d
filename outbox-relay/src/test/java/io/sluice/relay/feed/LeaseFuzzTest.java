package io.sluice.relay.feed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.testkit.fuzz.Fuzz;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Leases that anybody may have written: a report comes of them, whatever they say. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LeaseFuzzTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String LEASE =
            "{\"id\":\"orders-intents-host_rid..-20\",\"LeaseToken\":\"-20\",\"timestamp\":\"2026-01-01T12:00:00.123456789Z\","
                    + "\"Owner\":\"relay-1\",\"version\":1,\"ContinuationToken\":%s,\"feedRange\":{\"Range\":{\"min\":\"\",\"max\":\"20\"}}}";
    private static final String CONTINUATION =
            "\"eyJWIjoxLCJSaWQiOiJyaWQiLCJNb2RlIjoiSU5DUkVNRU5UQUwiLCJTdGFydEZyb20iOnsiVHlwZSI6IkJFR0lOTklORyJ9fQ==\"";

    @Test
    void a_damaged_lease_is_in_the_report() {
        Fuzz.of("leases of the processor", List.of(LEASE.formatted("null"), LEASE.formatted(CONTINUATION)))
                .refusedBy(JsonProcessingException.class) // that is this test's own reader
                .read(text -> LeaseReport.of(List.of(JSON.readTree(text)), Instant.EPOCH, Duration.ofMinutes(1)));
    }
}
