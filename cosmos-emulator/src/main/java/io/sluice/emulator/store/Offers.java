package io.sluice.emulator.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.h2.mvstore.MVMap;

/**
 * The throughput bought for databases and containers. It is kept and returned, and does not slow anybody down.
 * Thread-safe.
 */
public final class Offers {
    private final MVMap<String, String> byResource;
    private final IntSupplier numbers;

    /** @param numbers for new offers, never the same twice */
    Offers(MVMap<String, String> byResource, IntSupplier numbers) {
        this.byResource = byResource;
        this.numbers = numbers;
    }

    /** All offers, as a client reads them. */
    public List<ObjectNode> all() {
        return byResource.values().stream().map(Offers::parse).toList();
    }

    /** The offer with an id. */
    public Optional<ObjectNode> find(String id) {
        return all().stream()
                .filter(offer -> offer.path("id").asText().equals(id))
                .findFirst();
    }

    /** Notes what was bought for a resource; {@code content} has {@code offerThroughput} and perhaps autoscale settings. */
    public void put(String resourceRid, String resourceLink, ObjectNode content) {
        var id = ResourceIds.offer(numbers.getAsInt());
        var offer = Json.object().put("id", id).put("_rid", id).put("_self", "offers/" + id + "/");
        offer.put("offerVersion", "V2").put("offerType", "Invalid").put("resource", resourceLink);
        offer.put("offerResourceId", resourceRid).put("_etag", "\"" + id + "\"");
        offer.set("content", content);
        byResource.put(resourceRid, offer.toString());
    }

    /**
     * Replaces an offer's content.
     *
     * @throws Refusal 404 when there is no such offer
     */
    public ObjectNode replace(String id, ObjectNode body) {
        var offer = find(id).orElseThrow(Refusal::notFound);
        if (!(body.path("content") instanceof ObjectNode content)) {
            throw Refusal.badRequest("The offer's content is missing.");
        }
        offer.set("content", content);
        byResource.put(offer.path("offerResourceId").asText(), offer.toString());
        return offer;
    }

    void remove(String resourceRid) {
        byResource.remove(resourceRid);
    }

    private static ObjectNode parse(String text) {
        return Json.readObject(text.getBytes(StandardCharsets.UTF_8));
    }
}
