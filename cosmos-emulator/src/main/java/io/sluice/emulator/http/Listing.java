package io.sluice.emulator.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.query.CosmosQuery;
import io.sluice.emulator.query.QuerySyntaxException;
import io.sluice.emulator.store.Json;
import io.sluice.emulator.throughput.RequestUnits;
import java.util.List;

/** Lists of databases, containers, ranges and offers: short, so always whole, and queried where the request is a query. */
final class Listing {
    private Listing() {}

    static WireAnswer answer(String name, String rid, List<ObjectNode> all, WireRequest request) {
        var body = Json.object().put("_rid", rid);
        var array = body.putArray(name);
        if (QueryText.isQuery(request)) {
            CosmosQuery query = QueryText.parse(request);
            try {
                query.execute(all.iterator()).forEachRemaining(array::add);
            } catch (QuerySyntaxException e) {
                throw QueryText.refused(e);
            }
        } else {
            array.addAll(all);
        }
        body.put("_count", array.size());
        return WireAnswer.json(200, body)
                .header(Headers.ITEM_COUNT, Integer.toString(array.size()))
                .charge(RequestUnits.METADATA);
    }
}
