package io.sluice.provider.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.json.Vector;
import io.sluice.testkit.fuzz.Fuzz;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What the relay reads of intents and dead letters that anybody may have written. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IntentFuzzTest {
    private static final String FAILED = "{\"id\":\"intent:k\",\"instanceId\":\"parent\",\"type\":\"outbox_intent\","
            + "\"targetInstanceId\":\"child\",\"targetDocumentType\":\"orch_queue\",\"payload\":\"{}\","
            + "\"idempotencyKey\":\"parent:1:0123456789abcdef.000001\",\"status\":\"failed\",\"createdAt\":5,"
            + "\"attemptCount\":3,\"lastAttemptAt\":6,\"nextAttemptAt\":7,\"firstError\":\"a\",\"lastError\":\"b\","
            + "\"retry\":1,\"earlierAttempts\":2,\"outcome\":\"refused\",\"reason\":\"tried 3 times\",\"failedAt\":8,"
            + "\"answered\":true,\"reported\":true,\"_etag\":\"e\",\"dispatch\":{\"correlationId\":\"c\",\"executionId\":1,"
            + "\"deadline\":9,\"traceparent\":\"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\"}}";

    private static List<String> examples() {
        return Stream.concat(
                        Stream.of(FAILED),
                        Vector.all("documents.json")
                                .map(vector -> vector.text("rust_string"))
                                .filter(text -> text.contains("\"outbox_intent\""))
                                .map(text -> text.replaceFirst("\\{", "{\"_etag\":\"e\",")))
                .toList();
    }

    @Test
    void a_damaged_intent_is_malformed_or_makes_sense() {
        Fuzz.of("intents", examples())
                .refusedBy(MalformedDocumentException.class)
                .read(text -> {
                    var intent = Intent.fromJson(DocumentJson.parse(text));

                    assertThat(DispatchMetadata.of(intent, 5).headers()).doesNotContainValue(null);
                    assertThat(intent.state()).isNotNull();
                    assertThat(intent.dueAtMillis()).isGreaterThanOrEqualTo(intent.deliverAfterMillis());
                });
    }

    @Test
    void a_damaged_dead_letter_is_malformed_or_makes_sense() {
        Fuzz.of("dead letters", List.of(FAILED))
                .refusedBy(MalformedDocumentException.class)
                .read(text -> assertThat(
                                FailedIntent.fromJson(DocumentJson.parse(text)).outcome())
                        .isNotNull());
    }
}
