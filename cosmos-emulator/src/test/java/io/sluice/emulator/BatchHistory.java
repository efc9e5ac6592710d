package io.sluice.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What writers of batches were told, readers saw and the feed of all versions says, and whether that is a history of
 * transactions. Each batch writes all items of a key, one of them the {@code head}. Recording is thread-safe.
 */
final class BatchHistory {
    private final int itemsOfKey;
    private final Map<String, Written> written = new ConcurrentHashMap<>();
    private final Queue<Seen> seen = new ConcurrentLinkedQueue<>();
    private final List<Fed> feed = new ArrayList<>();

    BatchHistory(int itemsOfKey) {
        this.itemsOfKey = itemsOfKey;
    }

    /** What a writer knows of its batch. */
    enum Outcome {
        APPLIED,
        REFUSED,
        /** The connection ended before an answer. */
        UNKNOWN
    }

    private record Written(@Nullable String expectedEtag, Outcome outcome) {}

    private record Seen(int reader, String key, List<String> transactions) {}

    /** One transaction as it came in a page of a range's feed. */
    private record Fed(String range, String key, String transaction, long lsn, int items, String headEtag) {}

    void wrote(String transaction, @Nullable String expectedEtag, Outcome outcome) {
        written.put(transaction, new Written(expectedEtag, outcome));
    }

    /** How many batches have an outcome. */
    int answered() {
        return written.size();
    }

    void saw(int reader, String key, List<String> transactions) {
        seen.add(new Seen(reader, key, transactions));
    }

    /** A page of the feed of all versions. */
    void fed(String range, List<JsonNode> page) {
        var byLsn = new LinkedHashMap<Long, List<JsonNode>>();
        for (var change : page) {
            long lsn = change.path("metadata").path("lsn").asLong();
            byLsn.computeIfAbsent(lsn, first -> new ArrayList<>()).add(change.path("current"));
        }
        byLsn.forEach((lsn, items) -> feed.add(fed(range, lsn, items)));
    }

    private static Fed fed(String range, long lsn, List<JsonNode> items) {
        var transactions = new HashSet<String>();
        var ids = new HashSet<String>();
        var headEtag = "";
        for (var item : items) {
            transactions.add(item.path("tx").asText());
            ids.add(item.path("id").asText());
            headEtag =
                    item.path("id").asText().equals("head") ? item.path("_etag").asText() : headEtag;
        }
        assertThat(transactions)
                .as("transactions with log sequence number %d of range %s", lsn, range)
                .hasSize(1);
        assertThat(ids).as("items of one transaction in one page").hasSameSizeAs(items);
        return new Fed(
                range, items.get(0).path("pk").asText(), transactions.iterator().next(), lsn, items.size(), headEtag);
    }

    /** Fails when no order of whole transactions explains what was recorded. */
    void check(String told) {
        assertThat(feed).as(told).isNotEmpty();
        assertThat(seen).as(told).isNotEmpty();
        checkFeed(told);
        checkOutcomes(told);
        checkEtags(told);
        checkReaders(told);
    }

    private void checkFeed(String told) {
        var last = new HashMap<String, Long>();
        for (var one : feed) {
            assertThat(one.items()).as("%s: items of %s in its page", told, one).isEqualTo(itemsOfKey);
            var before = last.put(one.range(), one.lsn());
            assertThat(before == null || before < one.lsn())
                    .as("%s: log sequence numbers rise and none is used twice: %s after %s", told, one, before)
                    .isTrue();
        }
    }

    private void checkOutcomes(String told) {
        var applied = new HashSet<String>();
        for (var one : feed) {
            assertThat(applied.add(one.transaction()))
                    .as("%s: %s applied once", told, one)
                    .isTrue();
        }
        written.forEach((transaction, result) -> {
            if (result.outcome() != Outcome.UNKNOWN) {
                assertThat(applied.contains(transaction))
                        .as("%s: %s was answered %s", told, transaction, result)
                        .isEqualTo(result.outcome() == Outcome.APPLIED);
            }
        });
        assertThat(written.keySet()).as(told).containsAll(applied);
    }

    /** A write on a condition came right after the version it was made on. */
    private void checkEtags(String told) {
        var latest = new HashMap<String, String>();
        Set<String> all = new HashSet<>();
        for (var one : feed) {
            var expected =
                    Objects.requireNonNull(written.get(one.transaction())).expectedEtag();
            if (expected != null) {
                assertThat(expected).as("%s: the version before %s", told, one).isEqualTo(latest.get(one.key()));
            }
            assertThat(all.add(one.headEtag()))
                    .as("%s: the ETag of %s is new", told, one)
                    .isTrue();
            latest.put(one.key(), one.headEtag());
        }
    }

    /** A reader sees all of a transaction or nothing of it, and never an earlier one later. */
    private void checkReaders(String told) {
        var place = new HashMap<String, Integer>();
        feed.forEach(one -> place.put(one.transaction(), place.size()));
        var last = new HashMap<String, Integer>();
        for (var one : seen) {
            if (one.transactions().isEmpty()) {
                continue;
            }
            assertThat(one.transactions())
                    .as("%s: %s", told, one)
                    .hasSize(itemsOfKey)
                    .allMatch(one.transactions().get(0)::equals);
            int now = Objects.requireNonNull(place.get(one.transactions().get(0)));
            var before = last.put(one.reader() + " " + one.key(), now);
            assertThat(before == null || before <= now)
                    .as("%s: %s goes back", told, one)
                    .isTrue();
        }
    }
}
