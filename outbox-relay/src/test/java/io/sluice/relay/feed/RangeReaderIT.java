package io.sluice.relay.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.emulator.RequestKind;
import io.sluice.relay.TestContainer;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RangeReaderIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    final TestContainer container = new TestContainer(cosmos);

    private KeyRange physical() {
        return KeyRange.of(
                container.get().getFeedRanges().blockOptional().orElseThrow().get(0));
    }

    @Test
    void a_feed_since_a_point_in_time_begins_with_a_page_without_documents_and_ends_when_nothing_has_changed() {
        var whole = KeyRange.cut(1).get(0);
        container.write("order-1");
        var reader = new RangeReader(container.get(), whole, 100);

        int documents = 0;
        String requested = null;
        var page = reader.readSince(Instant.parse("2020-01-01T00:00:00Z"));
        var first = page;
        while (!page.isEndAfter(requested)) {
            documents += page.documents().size();
            requested = page.continuation();
            page = reader.read(requested);
        }

        assertThat(first.isEmpty()).as("as the service answers").isTrue();
        assertThat(first.isEndAfter(null)).isFalse();
        assertThat(documents).isEqualTo(1);
        assertThat(page.unchanged()).as("304").isTrue();
    }

    @Test
    void a_store_that_does_not_answer_is_named_with_the_range() {
        var range = physical();
        var never = cosmos.requireEmulator()
                .faults()
                .delay(request -> request.operation() == RequestKind.CHANGE_FEED, 1, Duration.ofSeconds(20));
        var impatient = new RangeReader(container.get(), range, 100).within(new ReadLimit(100, Duration.ofMillis(500)));

        assertThatThrownBy(() -> impatient.read(null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Cosmos DB did not answer within 0.5 s")
                .hasMessageContaining("range " + range.name());
        assertThat(never.hits()).isEqualTo(1);
    }
}
