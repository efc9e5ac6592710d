package io.sluice.relay.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.PageReader;
import io.sluice.relay.feed.PollInterval;
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
    private final List<String> rung = new ArrayList<>();
    private final List<Duration> patience = new ArrayList<>();
    private List<Integer> behind = List.of();
    private List<String> waiting = List.of();
    private boolean isAway;

    private final FallbackPoller poller = new FallbackPoller(
            longer -> {
                patience.add(longer);
                return behind;
            },
            range -> RecentChanges.of(new Reader(range), InstantSource.fixed(NOW), LONGEST),
            documents ->
                    documents.forEach(document -> rung.add(document.path("id").asText())),
            new PageMemory(RelayMemory.ofHeap().pages()),
            new PollInterval(SHORTEST, LONGEST));

    /** Hands out what waits, once, under continuations that count up. */
    private final class Reader implements PageReader {
        private final int range;
        private int pages;

        private Reader(int range) {
            this.range = range;
        }

        @Override
        public FeedPage read(@Nullable String continuation) {
            return page("after " + continuation);
        }

        @Override
        public FeedPage readSince(Instant since) {
            return page("since " + since);
        }

        private FeedPage page(String from) {
            asked.add(range + " " + from);
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
    void while_publishers_look_it_does_not() throws Exception {
        assertThat(poller.step()).isEqualTo(LONGEST);

        assertThat(asked).isEmpty();
        assertThat(patience).containsExactly(LONGEST.multipliedBy(2));
    }

    @Test
    void a_range_that_nobody_looks_at_is_read_from_before_the_publisher_stopped_and_on() throws Exception {
        behind = List.of(3);
        waiting = List.of("intent:a");

        assertThat(poller.step()).isEqualTo(SHORTEST);
        assertThat(poller.step()).isEqualTo(SHORTEST);
        assertThat(poller.step()).isEqualTo(SHORTEST.multipliedBy(2));

        assertThat(asked).containsExactly("3 since 2026-01-01T11:59:47Z", "3 after page 1", "3 after page 2");
        assertThat(rung).containsExactly("intent:a");
    }

    @Test
    void a_range_whose_publisher_looks_again_is_left_to_it() throws Exception {
        behind = List.of(1, 2);
        poller.step();
        behind = List.of(2);
        poller.step();
        behind = List.of(1, 2);
        asked.clear();

        poller.step();

        assertThat(asked).containsExactly("1 since 2026-01-01T11:59:47Z", "2 after page 2");
    }

    @Test
    void what_could_not_be_read_is_read_in_the_next_round() throws Exception {
        behind = List.of(0);
        poller.step();
        isAway = true;
        assertThatThrownBy(poller::step).hasMessage("the store is away");
        isAway = false;
        waiting = List.of("intent:b");

        poller.step();

        assertThat(asked).endsWith("0 after page 1", "0 after page 1");
        assertThat(rung).containsExactly("intent:b");
    }
}
