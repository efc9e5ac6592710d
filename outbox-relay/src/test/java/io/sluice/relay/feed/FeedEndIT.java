package io.sluice.relay.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.TestContainer;
import io.sluice.testkit.CosmosAccount;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Where a feed ends, asked by the SDK, while its physical partitions split and merge. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FeedEndIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    final TestContainer container = new TestContainer(cosmos);

    private static final KeyRange WHOLE = KeyRange.cut(1).get(0);

    private int written;

    private RangeReader reader() {
        return new RangeReader(container.get(), WHOLE, 100);
    }

    private void write(int count) {
        for (int i = 0; i < count; i++) {
            container.write("instance-" + written++);
        }
    }

    private String readToTheEnd() {
        return readToTheEnd(reader());
    }

    private static String readToTheEnd(RangeReader reader) {
        var page = reader.read(null);
        while (!page.isEmpty()) {
            page = reader.read(page.continuation());
            assertThat(page.endsEarlier()).as("nothing went back").isFalse();
        }
        return page.continuation();
    }

    /** The same place, had there been so many more writes. */
    private static String later(String continuation, int writes) {
        return Continuations.moved(continuation, writes);
    }

    @Test
    void what_was_read_to_the_end_is_not_ahead_of_it() {
        write(5);
        var end = readToTheEnd();

        assertThat(reader().aheadOfEnd(end)).isEmpty();
        write(3);
        assertThat(reader().aheadOfEnd(end)).isEmpty();
    }

    @Test
    void a_place_that_the_feed_never_reached_is_ahead_and_a_page_read_from_there_tells() {
        write(5);
        var physical = KeyRange.of(
                container.get().getFeedRanges().blockOptional().orElseThrow().get(0));
        var inOne = new RangeReader(container.get(), physical, 100);

        var beyond = later(readToTheEnd(inOne), 4);

        assertThat(inOne.aheadOfEnd(beyond)).isPresent();
        assertThat(inOne.read(beyond).endsEarlier()).isTrue();
    }

    @Test
    void a_page_before_an_end_that_is_far_is_no_sign_that_the_feed_has_gone_back() {
        write(30);
        var physical = KeyRange.of(
                container.get().getFeedRanges().blockOptional().orElseThrow().get(0));
        var inOne = new RangeReader(container.get(), physical, 5);
        var end = inOne.endContinuation().orElseThrow();

        var page = inOne.read(null, end);
        int pages = 0;
        while (!page.isEmpty()) {
            assertThat(page.endsEarlier()).as("page %d", pages).isFalse();
            page = inOne.read(page.continuation(), end);
            pages++;
        }

        assertThat(pages).isGreaterThan(1);
        assertThat(page.endsEarlier()).isFalse();
        assertThat(inOne.read(page.continuation(), later(end, 4)).endsEarlier())
                .as("the feed ends before its trusted end")
                .isTrue();
    }

    @Test
    void splits_and_merges_put_nobody_ahead() {
        var partitions = cosmos.requireEmulator().partitions();
        write(10);
        var beforeSplit = readToTheEnd();
        var only = partitions.of(cosmos.database(), cosmos.container()).get(0);

        var children = partitions.split(cosmos.database(), cosmos.container(), only.id());

        assertThat(reader().aheadOfEnd(beforeSplit)).isEmpty();
        assertThat(reader().aheadOfEnd(later(beforeSplit, 4))).isPresent();
        write(10);
        var betweenThem = readToTheEnd();
        assertThat(reader().aheadOfEnd(betweenThem)).isEmpty();

        partitions.merge(
                cosmos.database(),
                cosmos.container(),
                children.get(0).id(),
                children.get(1).id());

        assertThat(reader().aheadOfEnd(betweenThem)).isEmpty();
        assertThat(reader().aheadOfEnd(beforeSplit)).isEmpty();
        write(10);
        assertThat(reader().aheadOfEnd(readToTheEnd())).isEmpty();
    }
}
