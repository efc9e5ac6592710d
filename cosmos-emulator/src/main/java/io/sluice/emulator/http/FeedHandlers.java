package io.sluice.emulator.http;

import io.sluice.emulator.changefeed.ChangeFeed;
import io.sluice.emulator.changefeed.FeedStart;
import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.Refusal;
import io.sluice.emulator.store.StoredItem;
import io.sluice.emulator.throughput.RequestUnits;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Pages of the change feed. */
final class FeedHandlers {
    private static final String INCREMENTAL = "Incremental Feed";
    /** Documents in an envelope with metadata, as the change feed processor wants them. */
    private static final String WRAPPED_FORMAT = "2021-09-15";

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
        boolean wrapped = WRAPPED_FORMAT.equals(request.header(Headers.FEED_FORMAT));
        page.items().forEach(item -> documents.add(wrapped ? wrapped(item) : item.jsonWithLsn()));
        var answer = documents.count() == 0 ? WireAnswer.empty(304) : documents.answer();
        answer.header(Headers.ETAG, page.etag()).charge(RequestUnits.changeFeed(documents.sizeBytes()));
        return target.from(slice.partition(), view.lsn(), answer, request);
    }

    private static byte[] wrapped(StoredItem item) {
        var metadata = ",\"metadata\":{\"lsn\":" + item.lsn() + ",\"crts\":" + item.timestampSeconds() + "}}";
        var out = new ByteArrayOutputStream();
        out.writeBytes("{\"current\":".getBytes(StandardCharsets.UTF_8));
        out.writeBytes(item.jsonWithLsn());
        out.writeBytes(metadata.getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }
}
