package io.sluice.emulator.http;

import io.sluice.emulator.changefeed.ChangeFeed;
import io.sluice.emulator.changefeed.FeedStart;
import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.Refusal;
import io.sluice.emulator.throughput.RequestUnits;

/** Pages of the change feed. */
final class FeedHandlers {
    private static final String INCREMENTAL = "Incremental Feed";
    private static final int DEFAULT_PAGE = 100;

    private final Account account;

    FeedHandlers(Account account) {
        this.account = account;
    }

    WireAnswer changeFeed(WireRequest request) {
        if (!INCREMENTAL.equalsIgnoreCase(request.header(Headers.A_IM))) {
            throw Refusal.badRequest("The change feed mode '" + request.header(Headers.A_IM)
                    + "' is not supported by this emulator; it knows '" + INCREMENTAL + "'.");
        }
        var target = Target.of(account, request);
        var slices = Slice.named(target, request);
        if (slices.size() != 1) {
            throw Refusal.badRequest(
                    "A change feed request must name a partition key, a partition key range, or effective keys of one range.");
        }
        var slice = slices.get(0);
        SessionTokens.check(request, slice.partition());
        var view = slice.partition().view();
        var start = FeedStart.parse(request.header(Headers.IF_NONE_MATCH), request.header(Headers.IF_MODIFIED_SINCE));
        int asked = request.number(Headers.MAX_ITEM_COUNT, DEFAULT_PAGE);
        var page = ChangeFeed.read(view, start, slice.filter(), asked <= 0 ? DEFAULT_PAGE : asked);
        var documents = new DocumentList(target.container().rid());
        page.items().forEach(item -> documents.add(item.jsonWithLsn()));
        var answer = documents.count() == 0 ? WireAnswer.empty(304) : documents.answer();
        answer.header(Headers.ETAG, page.etag()).charge(RequestUnits.changeFeed(documents.sizeBytes()));
        return target.from(slice.partition(), view.lsn(), answer, request);
    }
}
