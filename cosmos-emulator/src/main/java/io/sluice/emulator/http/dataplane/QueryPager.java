package io.sluice.emulator.http.dataplane;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.message.DocumentPage;
import io.sluice.emulator.query.CosmosQuery;
import io.sluice.emulator.store.computed.ComputedProperties;
import io.sluice.emulator.store.item.StoredItem;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs a query on a slice of a partition, a page at a time. Thread-safe. */
final class QueryPager {
    private static final long MAX_PAGE_BYTES = 4L * 1024 * 1024;

    private final QueryResultCache cache = new QueryResultCache();

    /** Adds the next results to the page, and returns where the query continues; null at the end of the slice. */
    @Nullable
    QueryContinuation page(CosmosQuery query, QuerySource source, QueryContinuation from, DocumentPage page) {
        return query.isStreaming() ? stream(query, source, from, page) : whole(query, source, from, page);
    }

    /**
     * Each result comes from the item that was read last, so a page may end after any result and continue there. As on
     * the service, a full page always continues: an empty one may follow.
     */
    private static @Nullable QueryContinuation stream(
            CosmosQuery query, QuerySource source, QueryContinuation from, DocumentPage page) {
        var items = new CountedDocuments(source.items(from.head().number()), source.computed(), page);
        var results = query.execute(items, page::countAsked);
        var head = from.head();
        long number = head.number();
        int ofItem = 0;
        while (results.hasNext()) {
            var result = results.next();
            ofItem = items.number == number ? ofItem : 0;
            number = items.number;
            ofItem++;
            if (number == head.number() && ofItem <= head.skip()) {
                continue;
            }
            if (isFull(page, source)) {
                return rest(source, number, ofItem - 1, null);
            }
            page.add(Json.bytes(result));
        }
        return isFull(page, source) ? rest(source, number, ofItem, null) : null;
    }

    private @Nullable QueryContinuation whole(
            CosmosQuery query, QuerySource source, QueryContinuation from, DocumentPage page) {
        var extent = source.slice().extent();
        var given = from.cached();
        if (given != null && !given.keys().min().equals(extent.min())) {
            // The partition split after the first page. Its first child returns the cached results of both.
            return null;
        }
        var known = given == null ? null : cache.get(given.token());
        boolean isSameSlice =
                given == null || source.slice().key() != null || given.keys().equals(extent);
        if (known == null && !isSameSlice) {
            throw StatusException.badRequest("The results the continuation token goes on with are not kept any more.");
        }
        var results = known == null ? run(query, source, page) : known;
        int at = from.head().skip();
        while (at < results.size() && !isFull(page, source)) {
            page.add(Json.bytes(results.get(at++)));
        }
        if (at >= results.size()) {
            if (given != null) {
                cache.remove(given.token());
            }
            return null;
        }
        return rest(
                source,
                0,
                at,
                given != null && known != null
                        ? given
                        : new QueryContinuation.CachedResults(cache.put(results), extent));
    }

    private static List<JsonNode> run(CosmosQuery query, QuerySource source, DocumentPage page) {
        var results = new ArrayList<JsonNode>();
        var ordered = source.inOrder();
        if (ordered.isPresent()) {
            query.executeInOrder(new DocumentGroups(ordered.get(), source.computed(), page), page::countAsked)
                    .forEachRemaining(results::add);
        } else {
            query.execute(new CountedDocuments(source.items(0), source.computed(), page), page::countAsked)
                    .forEachRemaining(results::add);
        }
        return results;
    }

    private static QueryContinuation rest(
            QuerySource source, long number, int skip, QueryContinuation.@Nullable CachedResults cached) {
        return new QueryContinuation(
                List.of(new QueryContinuation.PendingRange(source.slice().extent(), number, skip)), cached);
    }

    private static boolean isFull(DocumentPage page, QuerySource source) {
        return page.count() >= source.maxItems() || page.sizeBytes() >= MAX_PAGE_BYTES;
    }

    /** Turns groups of items into groups of documents. */
    private record DocumentGroups(Iterator<Iterator<StoredItem>> items, ComputedProperties computed, DocumentPage page)
            implements Iterator<Iterator<ObjectNode>> {
        @Override
        public boolean hasNext() {
            return items.hasNext();
        }

        @Override
        public Iterator<ObjectNode> next() {
            return new CountedDocuments(items.next(), computed, page);
        }
    }

    /** Turns items into documents, counts them on the page, and knows the number of the item it returned last. */
    private static final class CountedDocuments implements Iterator<ObjectNode> {
        private final Iterator<StoredItem> items;
        private final ComputedProperties computed;
        private final DocumentPage page;
        private long number;

        CountedDocuments(Iterator<StoredItem> items, ComputedProperties computed, DocumentPage page) {
            this.items = items;
            this.computed = computed;
            this.page = page;
        }

        @Override
        public boolean hasNext() {
            return items.hasNext();
        }

        @Override
        public ObjectNode next() {
            var item = items.next();
            number = item.number();
            page.countRead(item.sizeBytes());
            return computed.of(item.document());
        }
    }
}
