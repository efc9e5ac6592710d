package io.sluice.relay.feed;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.ReadConsistencyStrategy;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.ModelBridgeInternal;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.relay.log.LogKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The latest-version change feed of one key range by the SDK's pull model. Thread-safe. */
public final class RangeReader implements PageReader {
    private static final Logger LOG = LoggerFactory.getLogger(RangeReader.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final CosmosAsyncContainer container;
    private final KeyRange range;
    private final int pageSize;
    private final Duration timeout;

    public RangeReader(CosmosAsyncContainer container, KeyRange range, int pageSize) {
        this(container, range, pageSize, TIMEOUT);
    }

    private RangeReader(CosmosAsyncContainer container, KeyRange range, int pageSize, Duration timeout) {
        this.container = container;
        this.range = range;
        this.pageSize = pageSize;
        this.timeout = timeout;
    }

    @Override
    public PageReader within(ReadLimit limit) {
        return new RangeReader(container, range, limit.documents(), limit.patience());
    }

    @Override
    public FeedPage readSince(Instant since) {
        return page(
                answer(CosmosChangeFeedRequestOptions.createForProcessingFromPointInTime(since, range.toFeedRange())),
                false);
    }

    @Override
    public FeedPage read(@Nullable String continuation) {
        return read(continuation, continuation);
    }

    @Override
    public FeedPage read(@Nullable String continuation, @Nullable String floor) {
        var response = answer(from(continuation));
        return page(response, floor != null && endsEarlier(continuation, floor, response));
    }

    /** For a range in one physical partition; a range in several is compared at its takeover. */
    private static boolean endsEarlier(@Nullable String asked, String floor, FeedResponse<JsonNode> response) {
        var before = FeedContinuation.parse(floor);
        // A page ends behind what was asked for, and not before the feed does, unless more pages follow.
        boolean isEndOfFeed = floor.equals(asked) || ModelBridgeInternal.noChanges(response);
        return before.isBeyond(response.getSessionToken())
                || (isEndOfFeed
                        && before.aheadOf(FeedContinuation.parse(response.getContinuationToken()))
                                .isPresent());
    }

    @Override
    public Optional<String> aheadOfEnd(String continuation) {
        return FeedContinuation.parse(continuation).aheadOf(FeedContinuation.parse(presentEnd()));
    }

    @Override
    public Optional<FeedEnd> end() {
        return Optional.of(FeedEnd.of(presentEnd()));
    }

    @Override
    public Optional<String> endContinuation() {
        return Optional.of(presentEnd());
    }

    @Override
    public SortedMap<KeyRange, String> parts(String continuation) {
        return FeedContinuation.split(continuation);
    }

    /** Without this client's session: after a failover that lost writes it would ask for writes that are gone. */
    private String presentEnd() {
        var now = CosmosChangeFeedRequestOptions.createForProcessingFromNow(range.toFeedRange())
                .setReadConsistencyStrategy(ReadConsistencyStrategy.EVENTUAL);
        return answer(now).getContinuationToken();
    }

    private FeedResponse<JsonNode> answer(CosmosChangeFeedRequestOptions from) {
        // next() is enough: the SDK reads all sub-ranges before it returns a page that says that nothing has changed.
        var pages = container
                .queryChangeFeed(from.setMaxItemCount(pageSize), JsonNode.class)
                .byPage();
        return BoundedAnswer.of(pages.next(), timeout, "for the change feed of range " + range.name())
                .orElseThrow(() -> new IllegalStateException("Cosmos DB gave no change feed of range " + range.name()));
    }

    private FeedPage page(FeedResponse<JsonNode> response, boolean endsEarlier) {
        LOG.atTrace()
                .addKeyValue(LogKeys.RANGE, range.min())
                .addKeyValue(LogKeys.COUNT, response.getResults().size())
                .log("a page of the change feed was read");
        return new FeedPage(
                response.getResults(),
                response.getContinuationToken(),
                endsEarlier,
                ModelBridgeInternal.noChanges(response),
                response.getSessionToken());
    }

    private CosmosChangeFeedRequestOptions from(@Nullable String continuation) {
        return continuation == null
                ? CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(range.toFeedRange())
                : CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(continuation);
    }
}
