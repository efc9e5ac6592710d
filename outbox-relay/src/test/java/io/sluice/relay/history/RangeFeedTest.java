package io.sluice.relay.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.feed.ChangeListener;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.feed.PageMemory;
import io.sluice.relay.feed.RangeLag;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RangeFeedTest {
    private final List<String> told = new ArrayList<>();

    private final RangeFeed feed = new RangeFeed(
            TestRanges.range(0, 1, "rid"),
            new ListFeed(),
            PageMemory.published(RelayMemory.ofHeap()).range(2),
            new ChangeListener() {
                @Override
                public void taken(KeyRange range) {
                    told.add("taken");
                }

                @Override
                public void onChange(KeyRange range, List<JsonNode> documents) {}

                @Override
                public void givenAway(KeyRange range) {
                    told.add("given away");
                }
            },
            new RangeLag(InstantSource.system(), Duration.ofSeconds(1)));

    @Test
    void a_publisher_that_ends_late_takes_no_range_back() {
        feed.begin();
        feed.end();

        feed.begin();

        assertThat(told).containsExactly("taken", "given away");
    }
}
