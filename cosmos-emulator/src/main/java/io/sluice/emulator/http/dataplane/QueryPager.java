package io.sluice.emulator.http.dataplane;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.message.DocumentPage;
import io.sluice.emulator.query.CosmosQuery;
import io.sluice.emulator.store.item.StoredItem;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs a query on a slice of a partition, a page at a time. Thread-safe. */
final class QueryPager {
    private static final long MAX_PAGE_BYTES = 4L * 1024 * 1024;

    private final QueryResultCache kept = new QueryResultCache();

    /** Puts the next page into the list, and says where the query goes on; null at the end of the slice. */
    @Nullable
    QueryContinuation page(CosmosQuery query, QuerySource source, QueryContinuation from, DocumentPage page) {
        return query.isStreaming() ? stream(query, source, from, page) : whole(query, source, from, page);
    }

    /** Each result comes from the item read last, so a page ends behind any, and goes on from that item. */
    private static @Nullable QueryContinuation stream(
            CosmosQuery query, QuerySource source, QueryContinuation from, DocumentPage page) {
        var items = new Tracked(source.items(from.head().number()), page);
        var results = query.execute(items);
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
        return null;
    }

    private @Nullable QueryContinuation whole(
            CosmosQuery query, QuerySource source, QueryContinuation from, DocumentPage page) {
        var extent = source.slice().extent();
        var given = from.kept();
        if (given != null && !given.keys().min().equals(extent.min())) {
            // The partition split since. What is kept goes to the child that comes first, the others have nothing to
            // add.
            return null;
        }
        var known = given == null ? null : kept.find(given.token());
        if (given != null && known == null && !given.keys().equals(extent)) {
            throw StatusException.badRequest("The results the continuation token goes on with are not kept any more.");
        }
        var results = known == null ? run(query, source, page) : known;
        int at = from.head().skip();
        while (at < results.size() && !isFull(page, source)) {
            page.add(Json.bytes(results.get(at++)));
        }
        if (at >= results.size()) {
            if (given != null) {
                kept.forget(given.token());
            }
            return null;
        }
        return rest(
                source,
                0,
                at,
                given != null && known != null ? given : new QueryContinuation.Kept(kept.keep(results), extent));
    }

    private static List<JsonNode> run(CosmosQuery query, QuerySource source, DocumentPage page) {
        var results = new ArrayList<JsonNode>();
        var ordered = source.inOrder();
        if (ordered.isPresent()) {
            query.executeInOrder(new Groups(ordered.get(), page)).forEachRemaining(results::add);
        } else {
            query.execute(new Tracked(source.items(0), page)).forEachRemaining(results::add);
        }
        return results;
    }

    private static QueryContinuation rest(
            QuerySource source, long number, int skip, QueryContinuation.@Nullable Kept kept) {
        return new QueryContinuation(
                List.of(new QueryContinuation.Stretch(source.slice().extent(), number, skip)), kept);
    }

    private static boolean isFull(DocumentPage page, QuerySource source) {
        return page.count() >= source.maxItems() || page.sizeBytes() >= MAX_PAGE_BYTES;
    }

    /** Documents group by group. */
    private record Groups(Iterator<Iterator<StoredItem>> items, DocumentPage page)
            implements Iterator<Iterator<ObjectNode>> {
        @Override
        public boolean hasNext() {
            return items.hasNext();
        }

        @Override
        public Iterator<ObjectNode> next() {
            return new Tracked(items.next(), page);
        }
    }

    /** Documents, counted on the page, and the number of the item the last one came from. */
    private static final class Tracked implements Iterator<ObjectNode> {
        private final Iterator<StoredItem> items;
        private final DocumentPage page;
        private long number;

        Tracked(Iterator<StoredItem> items, DocumentPage page) {
            this.items = items;
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
            return item.document();
        }
    }
}
