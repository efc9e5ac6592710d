package io.sluice.emulator.http.message;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.query.CosmosQuery;
import io.sluice.emulator.query.QuerySyntaxException;
import io.sluice.emulator.throughput.RequestUnits;
import java.util.List;

/**
 * Lists of databases, containers, partition key ranges and offers. They are short, so a response always has the whole
 * list, or the results of a query over it when the request is a query.
 */
public final class ResourceList {
    private ResourceList() {}

    /** The response with all resources, or with those that the request's query selects. */
    public static WireResponse respond(String name, String rid, List<ObjectNode> all, WireRequest request) {
        var body = Json.object().put("_rid", rid);
        var array = body.putArray(name);
        if (QueryRequest.isQuery(request)) {
            CosmosQuery query = QueryRequest.parse(request);
            try {
                query.execute(all.iterator()).forEachRemaining(array::add);
            } catch (QuerySyntaxException e) {
                throw QueryRequest.badRequest(e);
            }
        } else {
            array.addAll(all);
        }
        body.put("_count", array.size());
        return WireResponse.json(200, body)
                .header(Headers.ITEM_COUNT, Integer.toString(array.size()))
                .charge(RequestUnits.METADATA);
    }
}
