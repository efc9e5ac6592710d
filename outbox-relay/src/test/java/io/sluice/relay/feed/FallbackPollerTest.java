package io.sluice.relay.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.relay.control.RelayMemory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FallbackPollerTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final Duration SHORTEST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(1);

    private final List<String> asked = new ArrayList<>();
    private final List<String> shown = new ArrayList<>();
    private final List<Duration> patience = new ArrayList<>();
    private boolean isBehind;
    private List<String> waiting = List.of();
    private boolean isAway;

    private final FallbackPoller poller = new FallbackPoller(
            longer -> {
                patience.add(longer);
                return isBehind;
            },
            () -> RecentChanges.of(new Reader(), InstantSource.fixed(NOW), LONGEST),
            page -> page.documents()
                    .forEach(document -> shown.add(document.path("id").asText())),
            PageMemory.recent(RelayMemory.ofHeap()).range(1),
            new PollInterval(SHORTEST, LONGEST));

    /** Hands out what waits, once, under continuations that count up. */
    private final class Reader implements PageReader {
        private int pages;

        @Override
        public FeedPage read(@Nullable String continuation) {
            return page("after " + continuation);
        }

        @Override
        public FeedPage readSince(Instant since) {
            return page("since " + since);
        }

        private FeedPage page(String from) {
            asked.add(from);
            if (isAway) {
                throw new IllegalStateException("the store is away");
            }
            var documents = waiting.stream()
                    .map(id -> JsonNodeFactory.instance.objectNode().put("id", id))
                    .toList();
            waiting = List.of();
            return new FeedPage(List.copyOf(documents), "page " + ++pages);
        }
    }

    @Test
    void while_the_publisher_reads_it_does_not() throws Exception {
        assertThat(poller.step()).isEqualTo(LONGEST);

        assertThat(asked).isEmpty();
        assertThat(patience).containsExactly(LONGEST.multipliedBy(2));
    }

    @Test
    void a_range_that_nobody_reads_is_read_from_before_the_publisher_stopped_and_on() throws Exception {
        isBehind = true;
        waiting = List.of("intent:a");

        assertThat(poller.step()).isEqualTo(SHORTEST);
        assertThat(poller.step()).isEqualTo(SHORTEST);
        assertThat(poller.step()).isEqualTo(SHORTEST.multipliedBy(2));

        assertThat(asked).containsExactly("since 2026-01-01T11:59:47Z", "after page 1", "after page 2");
        assertThat(shown).containsExactly("intent:a");
    }

    @Test
    void a_range_whose_publisher_reads_again_is_left_to_it() throws Exception {
        isBehind = true;
        poller.step();
        isBehind = false;
        poller.step();
        isBehind = true;
        asked.clear();

        poller.step();

        assertThat(asked).containsExactly("since 2026-01-01T11:59:47Z");
    }

    @Test
    void what_could_not_be_read_is_read_in_the_next_round() throws Exception {
        isBehind = true;
        poller.step();
        isAway = true;
        assertThatThrownBy(poller::step).hasMessage("the store is away");
        isAway = false;
        waiting = List.of("intent:b");

        poller.step();

        assertThat(asked).endsWith("after page 1", "after page 1");
        assertThat(shown).containsExactly("intent:b");
    }
}
