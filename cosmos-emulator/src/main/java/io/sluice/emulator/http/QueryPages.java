package io.sluice.emulator.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.query.CosmosQuery;
import io.sluice.emulator.store.Json;
import io.sluice.emulator.store.PartitionView;
import io.sluice.emulator.store.StoredItem;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs a query on a slice of a partition, a page at a time. Thread-safe. */
final class QueryPages {
    private static final long MAX_PAGE_BYTES = 4L * 1024 * 1024;

    private final KeptResults kept = new KeptResults();

    /** Puts the next page into the list, and says where the query goes on; null at the end of the slice. */
    @Nullable
    Continuation page(CosmosQuery query, Source source, Continuation from, DocumentList page) {
        return query.isStreaming() ? stream(query, source, from, page) : whole(query, source, from, page);
    }

    /**
     * What a query reads.
     *
     * @param slice of a partition
     * @param view of it
     * @param maxItems of a page
     */
    record Source(Slice slice, PartitionView view, int maxItems) {
        /** The items from a number on that the query's filter can let through, and perhaps others. */
        Iterator<StoredItem> items(CosmosQuery query, long fromNumber) {
            var type = query.partitionKeyEquality("/type")
                    .filter(JsonNode::isTextual)
                    .map(JsonNode::textValue)
                    .orElse(null);
            return slice.items(view, fromNumber, type);
        }

        boolean isFull(DocumentList page) {
            return page.count() >= maxItems || page.sizeBytes() >= MAX_PAGE_BYTES;
        }
    }

    /** Each result comes from the item read last, so a page ends behind any, and goes on from that item. */
    private static @Nullable Continuation stream(
            CosmosQuery query, Source source, Continuation from, DocumentList page) {
        var items = new Tracked(source.items(query, from.number()));
        var results = query.execute(items);
        int skip = from.skip();
        long number = from.number();
        int ofItem = 0;
        while (results.hasNext()) {
            var result = results.next();
            ofItem = items.number == number ? ofItem : 0;
            number = items.number;
            ofItem++;
            if (number == from.number() && ofItem <= skip) {
                continue;
            }
            if (source.isFull(page)) {
                return new Continuation(from.range(), number, ofItem - 1, "");
            }
            page.add(Json.bytes(result));
        }
        return null;
    }

    private @Nullable Continuation whole(CosmosQuery query, Source source, Continuation from, DocumentList page) {
        var known = from.kept().isEmpty() ? null : kept.find(from.kept());
        var results = known == null ? run(query, source) : known;
        int at = from.skip();
        while (at < results.size() && !source.isFull(page)) {
            page.add(Json.bytes(results.get(at++)));
        }
        if (at >= results.size()) {
            kept.forget(from.kept());
            return null;
        }
        var token = known == null ? kept.keep(results) : from.kept();
        return new Continuation(from.range(), 0, at, token);
    }

    private static List<JsonNode> run(CosmosQuery query, Source source) {
        var results = new ArrayList<JsonNode>();
        query.execute(new Tracked(source.items(query, 0))).forEachRemaining(results::add);
        return results;
    }

    /** Documents, and the number of the item the last one came from. */
    private static final class Tracked implements Iterator<ObjectNode> {
        private final Iterator<StoredItem> items;
        private long number;

        Tracked(Iterator<StoredItem> items) {
            this.items = items;
        }

        @Override
        public boolean hasNext() {
            return items.hasNext();
        }

        @Override
        public ObjectNode next() {
            var item = items.next();
            number = item.number();
            return item.document();
        }
    }
}
