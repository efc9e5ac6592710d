package io.sluice.emulator.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.store.Json;
import io.sluice.emulator.store.Offers;
import io.sluice.emulator.store.Refusal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The throughput bought for databases and containers. */
final class OfferHandlers {
    private static final int MANUAL_MINIMUM = 400;
    private static final int MANUAL_STEP = 100;
    private static final int AUTOSCALE_STEP = 1000;
    private static final int AUTOSCALE_SHARE = 10;

    private final Offers offers;

    OfferHandlers(Offers offers) {
        this.offers = offers;
    }

    WireAnswer list(WireRequest request) {
        return Listing.answer("Offers", "", offers.all(), request);
    }

    WireAnswer read(WireRequest request) {
        return answer(offers.find(request.path().last()).orElseThrow(Refusal::notFound));
    }

    WireAnswer replace(WireRequest request) {
        var content = request.object().path("content");
        var autoscale = content.path("offerAutopilotSettings");
        if (autoscale.isObject()) {
            checkAutoscale(autoscale.path("maxThroughput").asInt());
        } else {
            checkManual(content.path("offerThroughput").asInt());
        }
        return answer(offers.replace(request.path().last(), request.object()));
    }

    /** Notes what a creation {@linkplain #wanted asked for}, if it did. */
    void buy(@Nullable ObjectNode content, String rid, String link) {
        if (content != null) {
            offers.put(rid, link, content);
        }
    }

    /**
     * The content of the offer a creation asks for; null when it asks for none.
     *
     * @throws Refusal 400 when so much can't be bought
     */
    static @Nullable ObjectNode wanted(WireRequest request) {
        var autopilot = request.header(Headers.OFFER_AUTOPILOT);
        if (autopilot != null && request.header(Headers.OFFER_THROUGHPUT) != null) {
            throw Refusal.badRequest("The headers " + Headers.OFFER_THROUGHPUT + " and " + Headers.OFFER_AUTOPILOT
                    + " can't be specified together.");
        }
        if (autopilot != null) {
            JsonNode settings = Json.readObject(autopilot.getBytes(StandardCharsets.UTF_8));
            int maximum = settings.path("maxThroughput").asInt();
            checkAutoscale(maximum);
            var content = Json.object().put("offerThroughput", maximum / AUTOSCALE_SHARE);
            content.set("offerAutopilotSettings", settings);
            return content;
        }
        if (request.header(Headers.OFFER_THROUGHPUT) == null) {
            return null;
        }
        int throughput = request.number(Headers.OFFER_THROUGHPUT, 0);
        checkManual(throughput);
        return Json.object().put("offerThroughput", throughput);
    }

    private static void checkManual(int throughput) {
        if (throughput < MANUAL_MINIMUM || throughput % MANUAL_STEP != 0) {
            throw Refusal.badRequest("The offer should have valid throughput values: at least " + MANUAL_MINIMUM
                    + ", in steps of " + MANUAL_STEP + ", was " + throughput + ".");
        }
    }

    private static void checkAutoscale(int maximum) {
        if (maximum < AUTOSCALE_STEP || maximum % AUTOSCALE_STEP != 0) {
            throw Refusal.badRequest("The autoscale maximum throughput must be at least " + AUTOSCALE_STEP
                    + ", in steps of " + AUTOSCALE_STEP + ", was " + maximum + ".");
        }
    }

    private static WireAnswer answer(ObjectNode offer) {
        boolean scales = offer.path("content").path("offerAutopilotSettings").isObject();
        return AccountHandlers.answer(200, offer)
                .header(Headers.OFFER_MINIMUM, Integer.toString(scales ? AUTOSCALE_STEP : MANUAL_MINIMUM))
                .header(Headers.OFFER_REPLACE_PENDING, "false");
    }
}
