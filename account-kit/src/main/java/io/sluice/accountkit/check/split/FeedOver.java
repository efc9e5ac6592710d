package io.sluice.accountkit.check.split;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Answer;
import io.sluice.accountkit.site.Documents;
import io.sluice.accountkit.site.Feed;
import io.sluice.accountkit.site.Page;
import io.sluice.accountkit.site.SessionToken;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Documents that are written before and after the partitions of a container change, and a reader of their feed. */
final class FeedOver {
    private static final int READ = 40;
    private static final int UNREAD = 20;
    private static final int LATER = 20;

    private final Documents documents;
    private final Feed feed;
    private final String prefix;
    private final List<String> expected = new ArrayList<>();
    private final Page position;
    private long numberBefore;

    /** Writes, reads, and writes more that is not read yet. */
    FeedOver(Documents documents, String prefix) {
        this.documents = documents;
        this.feed = new Feed(documents.container());
        this.prefix = prefix;
        Page now = feed.fromNow(Feed.whole());
        for (int i = 0; i < READ; i++) {
            write("read-" + i);
        }
        List<Page> pages = feed.rest(now);
        this.position = pages.isEmpty() ? now : pages.get(pages.size() - 1);
        for (int i = 0; i < UNREAD; i++) {
            numberBefore = Math.max(numberBefore, write("unread-" + i));
            expected.add(id("unread-" + i));
        }
    }

    private String id(String name) {
        return prefix + "-" + name;
    }

    private long write(String name) {
        Answer answer = documents.upsert(Documents.small(id(name), id(name)));
        OptionalLong number = SessionToken.number(answer.sessionToken());
        return answer.isDone() && number.isPresent() ? number.getAsLong() : -1;
    }

    /** Whether what came before is followed without a gap by what comes now. */
    Outcome after() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < LATER; i++) {
            least = Math.min(least, write("later-" + i));
            expected.add(id("later-" + i));
        }
        List<String> read = feed.rest(position).stream()
                .flatMap(page -> page.rows().stream())
                .map((JsonNode row) -> row.path("id").asText())
                .sorted()
                .toList();
        Answer old = documents.read(id("read-0"), id("read-0"));
        return Outcome.of(
                least > numberBefore && read.equals(expected.stream().sorted().toList()) && old.isDone(),
                feed.partitions() + " partitions; numbers up to " + numberBefore + " before, from " + least
                        + " after; the feed had " + read.size() + " documents of " + expected.size()
                        + "; a read in the old session was answered " + old.status());
    }
}
