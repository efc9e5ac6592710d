package io.sluice.accountkit.check.feed;

import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Answer;
import io.sluice.accountkit.site.Documents;
import io.sluice.accountkit.site.Feed;
import io.sluice.accountkit.site.Page;
import io.sluice.accountkit.site.SessionToken;
import io.sluice.accountkit.site.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** That changes have numbers which rise, and that session tokens bear the same numbers. */
public final class FeedNumbers implements Assumption {
    private static final String KEY = "feed-numbers";
    private static final int DOCUMENTS = 10;

    @Override
    public String name() {
        return "log sequence numbers and session tokens";
    }

    @Override
    public String expected() {
        return "the feed has the documents in the order of writes, under an _lsn that rises; the session tokens of a"
                + " write and of the page are <range>:<version>#<number>#…, with no lower number";
    }

    @Override
    public String source() {
        return "docs/protocols/positions.md";
    }

    @Override
    public Outcome run(Site site) {
        Feed feed = site.feed();
        Page now = feed.fromNow(Feed.of(KEY));
        List<Long> written = new ArrayList<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            Answer answer = site.documents().create(Documents.small(KEY, "number-" + i));
            OptionalLong number = SessionToken.number(answer.sessionToken());
            if (number.isEmpty()) {
                return Outcome.differs("a write answered " + answer.status()
                        + ", with a session token of another form: " + answer.sessionToken());
            }
            written.add(number.getAsLong());
        }
        Page page = feed.next(now);
        List<Long> read =
                page.rows().stream().map(row -> row.path("_lsn").asLong()).toList();
        OptionalLong end = SessionToken.number(page.sessionToken());
        boolean rises = read.equals(read.stream().distinct().sorted().toList());
        boolean reaches = end.isPresent() && !read.isEmpty() && end.getAsLong() >= read.get(read.size() - 1);
        return Outcome.of(
                rises && reaches && isCovered(read, written),
                "writes " + span(written) + ", feed " + span(read) + (rises ? ", rising" : ", not rising")
                        + ", session token of the page " + (end.isPresent() ? end.getAsLong() : page.sessionToken()));
    }

    private static boolean isCovered(List<Long> read, List<Long> written) {
        return read.size() == written.size()
                && IntStream.range(0, read.size()).allMatch(i -> written.get(i) >= read.get(i));
    }

    private static String span(List<Long> numbers) {
        return numbers.isEmpty()
                ? "none"
                : numbers.size() + " from " + numbers.get(0) + " to " + numbers.get(numbers.size() - 1);
    }
}
