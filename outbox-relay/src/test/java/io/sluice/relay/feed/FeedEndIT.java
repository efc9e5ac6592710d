package io.sluice.relay.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.testkit.CosmosAccount;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Where a feed ends, asked by the SDK, while its physical partitions split and merge. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FeedEndIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    private static final KeyRange WHOLE = KeyRange.cut(1).get(0);

    @SuppressWarnings("NullAway.Init") // before each test
    private CosmosAsyncClient client;

    @SuppressWarnings("NullAway.Init") // before each test
    private CosmosAsyncContainer container;

    private int written;

    @BeforeEach
    void open() {
        CosmosStore.provision(
                new CosmosStoreConfig(cosmos.endpoint(), cosmos.key(), cosmos.database(), cosmos.container()));
        client = cosmos.clientBuilder().buildAsyncClient();
        container = client.getDatabase(cosmos.database()).getContainer(cosmos.container());
    }

    @AfterEach
    void close() {
        client.close();
    }

    private RangeReader reader() {
        return new RangeReader(container, WHOLE, 100);
    }

    private void write(int count) {
        IntStream.range(0, count).forEach(i -> {
            var instance = "instance-" + written++;
            var document = JsonNodeFactory.instance
                    .objectNode()
                    .put("id", instance)
                    .put("instanceId", instance)
                    .put("type", "history");
            container
                    .createItem(document, new PartitionKey(instance), new CosmosItemRequestOptions())
                    .block();
        });
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
                container.getFeedRanges().blockOptional().orElseThrow().get(0));
        var inOne = new RangeReader(container, physical, 100);

        var beyond = later(readToTheEnd(inOne), 4);

        assertThat(inOne.aheadOfEnd(beyond)).isPresent();
        assertThat(inOne.read(beyond).endsEarlier()).isTrue();
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
