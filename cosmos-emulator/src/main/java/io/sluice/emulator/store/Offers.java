package io.sluice.emulator.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.h2.mvstore.MVMap;
import org.jspecify.annotations.Nullable;

/** The offers: throughput provisioned for databases and containers. Thread-safe. */
public final class Offers {
    private static final String TIME = "_ts";

    private final MVMap<String, String> byResource;
    private final IntSupplier numbers;
    private final LongSupplier nowSeconds;
    private final long openedSeconds;
    private final Map<String, Integer> limits = new ConcurrentHashMap<>();

    /**
     * @param numbers for new offers and their versions, never the same twice
     * @param nowSeconds the time, in seconds since 1970
     */
    Offers(MVMap<String, String> byResource, IntSupplier numbers, LongSupplier nowSeconds) {
        this.byResource = byResource;
        this.numbers = numbers;
        this.nowSeconds = nowSeconds;
        openedSeconds = nowSeconds.getAsLong();
        byResource.forEach(
                (rid, text) -> limits.put(rid, requestUnits(parse(text).path("content"))));
    }

    /** Whether there is no offer at all. */
    public boolean isEmpty() {
        return limits.isEmpty();
    }

    /**
     * The request units per second that a resource may use, at the top of its autoscale range; null when it has no
     * offer.
     */
    public @Nullable Integer limitOf(String resourceRid) {
        return limits.get(resourceRid);
    }

    /** The most request units per second that an offer with this content gives. */
    public static int requestUnits(JsonNode content) {
        var autoscale = content.path("offerAutopilotSettings").path("maxThroughput");
        return autoscale.asInt(content.path("offerThroughput").asInt());
    }

    /** All offers, as a client reads them. */
    public List<ObjectNode> all() {
        return byResource.values().stream().map(this::read).toList();
    }

    /** Offers that were stored before they had a time get the one at which the account was opened. */
    private ObjectNode read(String text) {
        var offer = parse(text);
        return offer.has(TIME) ? offer : offer.put(TIME, openedSeconds);
    }

    /** The offer with an id. */
    public Optional<ObjectNode> find(String id) {
        return all().stream()
                .filter(offer -> offer.path("id").asText().equals(id))
                .findFirst();
    }

    /**
     * Puts the offer of a new resource beside it, in one transaction.
     *
     * @param content with {@code offerThroughput}, and maybe autoscale settings; null for no offer
     */
    synchronized void put(String resourceRid, String resourceLink, @Nullable ObjectNode content) {
        if (content == null) {
            return;
        }
        int number = numbers.getAsInt();
        var id = ResourceIds.offer(number);
        var offer = Json.object().put("id", id).put("_rid", id).put("_self", "offers/" + id + "/");
        offer.put("offerVersion", "V2").put("offerType", "Invalid").put("resource", resourceLink);
        store(offer.put("offerResourceId", resourceRid), content, number);
    }

    /** Gives an offer other content. The caller has found it, and keeps others from changing it meanwhile. */
    synchronized void replace(ObjectNode offer, ObjectNode content) {
        store(offer, content, numbers.getAsInt());
    }

    private void store(ObjectNode offer, ObjectNode content, int version) {
        offer.set("content", content);
        offer.put("_etag", "\"" + Integer.toHexString(version) + "-0000\"").put(TIME, nowSeconds.getAsLong());
        var resourceRid = offer.path("offerResourceId").asText();
        byResource.put(resourceRid, offer.toString());
        limits.put(resourceRid, requestUnits(content));
    }

    synchronized void remove(String resourceRid) {
        byResource.remove(resourceRid);
        limits.remove(resourceRid);
    }

    private static ObjectNode parse(String text) {
        return Json.readObject(text.getBytes(StandardCharsets.UTF_8));
    }
}
