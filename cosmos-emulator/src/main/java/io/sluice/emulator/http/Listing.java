package io.sluice.emulator.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.query.CosmosQuery;
import io.sluice.emulator.store.Json;
import io.sluice.emulator.throughput.RequestUnits;
import java.util.Iterator;
import java.util.List;

/** Lists of databases, containers, ranges and offers: short, so always whole, and queried where the request is a query. */
final class Listing {
    private Listing() {}

    static WireAnswer answer(String name, String rid, List<ObjectNode> all, WireRequest request) {
        Iterator<? extends JsonNode> listed = all.iterator();
        if (QueryText.isQuery(request)) {
            CosmosQuery query = QueryText.parse(request);
            listed = query.execute(all.iterator());
        }
        var body = Json.object().put("_rid", rid);
        var array = body.putArray(name);
        listed.forEachRemaining(array::add);
        body.put("_count", array.size());
        return WireAnswer.json(200, body)
                .header(Headers.ITEM_COUNT, Integer.toString(array.size()))
                .charge(RequestUnits.METADATA);
    }
}
