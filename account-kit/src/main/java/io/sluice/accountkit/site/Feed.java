package io.sluice.accountkit.site;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** The latest-version change feed of a container, page by page. Thread-safe. */
public final class Feed {
    private static final int PAGE = 100;

    private final CosmosAsyncContainer container;

    /** Of a container. */
    public Feed(CosmosAsyncContainer container) {
        this.container = container;
    }

    /** All keys. */
    public static FeedRange whole() {
        return FeedRange.forFullRange();
    }

    /** One partition key. */
    public static FeedRange of(String key) {
        return FeedRange.forLogicalPartition(new PartitionKey(key));
    }

    /** The lower or the upper half of the keys, by their hashes, as a relay cuts them. */
    public static FeedRange half(boolean upper) {
        String middle = "1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF";
        String json = "{\"Range\":{\"min\":\"" + (upper ? middle : "") + "\",\"max\":\"" + (upper ? "FF" : middle)
                + "\",\"isMinInclusive\":true,\"isMaxInclusive\":false}}";
        return FeedRange.fromString(Base64.getUrlEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8)));
    }

    /** How many physical partitions the container has. */
    public int partitions() {
        return Calls.await(container.getFeedRanges()).size();
    }

    /** The first page of all that was ever written. */
    public Page fromBeginning(FeedRange range) {
        return page(CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(range), PAGE);
    }

    /** The first page of what is written from now on: nothing, and a continuation. */
    public Page fromNow(FeedRange range) {
        return page(CosmosChangeFeedRequestOptions.createForProcessingFromNow(range), PAGE);
    }

    /** The first page of what was written since. */
    public Page from(Instant since, FeedRange range) {
        return page(CosmosChangeFeedRequestOptions.createForProcessingFromPointInTime(since, range), PAGE);
    }

    /** The next page. */
    public Page next(Page before) {
        return next(before, PAGE);
    }

    /** The next page, of so many documents where the service lets itself be told. */
    public Page next(Page before, int documents) {
        return page(
                CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(before.continuation()), documents);
    }

    /** All pages from this one on until one is empty, itself not among them. */
    public List<Page> rest(Page before) {
        List<Page> pages = new ArrayList<>();
        for (Page page = next(before); !page.rows().isEmpty(); page = next(page)) {
            pages.add(page);
        }
        return pages;
    }

    private Page page(CosmosChangeFeedRequestOptions options, int documents) {
        return Calls.await(container
                .queryChangeFeed(options.setMaxItemCount(documents), JsonNode.class)
                .byPage()
                .next()
                .map(Page::of));
    }
}
