package io.sluice.emulator.http.dataplane;

import io.sluice.emulator.changefeed.ChangeFeed;
import io.sluice.emulator.changefeed.FeedPage;
import io.sluice.emulator.changefeed.FeedStart;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.message.DocumentPage;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.http.message.WireResponse;
import io.sluice.emulator.store.PartitionView;
import io.sluice.emulator.store.item.LoggedChange;
import io.sluice.emulator.store.item.StoredItem;
import io.sluice.emulator.throughput.RequestUnits;

/** Pages of the change feed. */
public final class ChangeFeedHandlers {
    private static final String LATEST_VERSION = "Incremental Feed";
    private static final String ALL_VERSIONS = "Full-Fidelity Feed";
    /** Documents in an envelope with metadata, as the change feed processor wants them. */
    private static final String WRAPPED_FORMAT = "2021-09-15";

    private static final int DEFAULT_PAGE = 100;

    private final RequestTargets targets;

    /** @param targets resolves what a reader addresses */
    public ChangeFeedHandlers(RequestTargets targets) {
        this.targets = targets;
    }

    /** Reads a page of latest versions, or of all versions and deletes. */
    public WireResponse changeFeed(WireRequest request) {
        var mode = request.header(Headers.A_IM);
        boolean all = ALL_VERSIONS.equalsIgnoreCase(mode);
        if (!all && !LATEST_VERSION.equalsIgnoreCase(mode)) {
            throw StatusException.badRequest(
                    "The change feed mode '" + mode + "' must be '" + LATEST_VERSION + "' or '" + ALL_VERSIONS + "'.");
        }
        var target = targets.resolve(request);
        if (all && !target.container().keepsVersions()) {
            throw StatusException.badRequest(
                    "The change feed of all versions and deletes needs an account with continuous backup, or a"
                            + " container with a change feed policy that retains them.");
        }
        if (all && request.header(Headers.IF_NONE_MATCH) == null) {
            throw StatusException.badRequest("The change feed of all versions and deletes starts now ("
                    + Headers.IF_NONE_MATCH + ": *) or at a continuation, not at a time or the beginning.");
        }
        var slice = slice(target, request);
        target.admit(slice.partition());
        SessionTokens.check(request, slice.partition());
        var view = slice.partition().view();
        var documents = new DocumentPage(target.container().rid());
        var page = all ? allVersions(request, target, slice, view, documents) : latest(request, slice, view, documents);
        var response = documents.count() == 0 && page.isEnd() && !beginsAtATime(request)
                ? WireResponse.empty(304).header(Headers.ITEM_COUNT, "0")
                : documents.toResponse();
        response.header(Headers.ETAG, page.etag())
                .read(page.items().size() + page.passed())
                .charge(RequestUnits.changeFeed(documents.sizeBytes() + page.passedBytes()));
        return target.respond(slice.partition(), view.lsn(), response, request);
    }

    private static PartitionSlice slice(RequestTarget target, WireRequest request) {
        var slices = PartitionSlice.requested(target, request);
        if (slices.size() != 1 && !PartitionSlice.isNamed(target, request)) {
            throw StatusException.badRequest(
                    "A change feed request must name a partition key, a partition key range, or effective keys.");
        }
        if (slices.size() != 1) {
            throw StatusException.partitionGone(
                    "The keys that the change feed request names are in " + slices.size() + " partition key ranges.");
        }
        return slices.get(0);
    }

    private static FeedPage<StoredItem> latest(
            WireRequest request, PartitionSlice slice, PartitionView view, DocumentPage documents) {
        if (beginsAtATime(request)) {
            return ChangeFeed.beginning(view, start(request));
        }
        var page = ChangeFeed.latest(view, start(request), slice.filter(), maxItems(request));
        boolean wrapped = WRAPPED_FORMAT.equals(request.header(Headers.FEED_FORMAT));
        page.items().forEach(item -> documents.add(wrapped ? ChangeFeedJson.latest(item) : item.jsonWithLsn()));
        return page;
    }

    private static FeedPage<LoggedChange> allVersions(
            WireRequest request,
            RequestTarget target,
            PartitionSlice slice,
            PartitionView view,
            DocumentPage documents) {
        var page = ChangeFeed.all(view, start(request), slice.filter(), maxItems(request));
        var partitionKey = target.container().properties().partitionKey();
        page.items().forEach(change -> documents.add(ChangeFeedJson.change(change, partitionKey)));
        return page;
    }

    /** The service answers such a request with 200, no items and a continuation. */
    private static boolean beginsAtATime(WireRequest request) {
        return request.header(Headers.IF_NONE_MATCH) == null && request.header(Headers.IF_MODIFIED_SINCE) != null;
    }

    private static FeedStart start(WireRequest request) {
        return FeedStart.parse(request.header(Headers.IF_NONE_MATCH), request.header(Headers.IF_MODIFIED_SINCE));
    }

    private static int maxItems(WireRequest request) {
        int asked = request.number(Headers.MAX_ITEM_COUNT, DEFAULT_PAGE);
        return asked <= 0 ? DEFAULT_PAGE : asked;
    }
}
