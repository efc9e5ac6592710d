package io.sluice.emulator.http.controlplane;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.ResourceList;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.http.message.WireResponse;
import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.Offers;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The throughput bought for databases and containers. */
public final class OfferHandlers {
    private static final int MANUAL_MINIMUM = 400;
    private static final int MANUAL_STEP = 100;
    private static final int AUTOSCALE_STEP = 1000;
    private static final int AUTOSCALE_SHARE = 10;

    private final Account account;
    private final Offers offers;

    /** @param account whose containers grow with their throughput */
    public OfferHandlers(Account account) {
        this.account = account;
        this.offers = account.offers();
    }

    /** Lists all offers, or queries them. */
    public WireResponse list(WireRequest request) {
        return ResourceList.respond("Offers", "", offers.all(), request);
    }

    /** Reads an offer. */
    public WireResponse read(WireRequest request) {
        return respond(offers.find(request.path().last()).orElseThrow(StatusException::notFound));
    }

    /** Changes the throughput of an offer. A container that needs more partitions for it gets them first. */
    public WireResponse replace(WireRequest request) {
        if (!(request.object().path("content") instanceof ObjectNode content)) {
            throw StatusException.badRequest("The offer's content is missing.");
        }
        var autoscale = content.path("offerAutopilotSettings");
        if (autoscale.isMissingNode() || autoscale.isNull()) {
            checkManual(wholeNumber(content, "offerThroughput"));
        } else {
            checkAutoscale(wholeNumber(autoscale, "maxThroughput"));
        }
        return respond(account.replaceOffer(request.path().last(), content, request.precondition()));
    }

    /**
     * The content of the offer that a creation asks for by its headers, or null when it asks for none.
     *
     * @throws StatusException 400 when such an amount can't be bought
     */
    static @Nullable ObjectNode requestedOffer(WireRequest request) {
        var autopilot = request.header(Headers.OFFER_AUTOPILOT);
        if (autopilot != null && request.header(Headers.OFFER_THROUGHPUT) != null) {
            throw StatusException.badRequest("The headers " + Headers.OFFER_THROUGHPUT + " and "
                    + Headers.OFFER_AUTOPILOT + " can't be specified together.");
        }
        if (autopilot != null) {
            JsonNode settings = Json.readObject(autopilot.getBytes(StandardCharsets.UTF_8));
            int maximum = wholeNumber(settings, "maxThroughput");
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

    private static int wholeNumber(JsonNode object, String field) {
        var number = object.path(field);
        if (!number.isIntegralNumber() || !number.canConvertToInt()) {
            throw StatusException.badRequest(
                    "The offer's " + field + " must be a whole number, was " + object.get(field) + ".");
        }
        return number.intValue();
    }

    private static void checkManual(int throughput) {
        if (throughput < MANUAL_MINIMUM || throughput % MANUAL_STEP != 0) {
            throw StatusException.badRequest("The offer should have valid throughput values: at least " + MANUAL_MINIMUM
                    + ", in steps of " + MANUAL_STEP + ", was " + throughput + ".");
        }
    }

    private static void checkAutoscale(int maximum) {
        if (maximum < AUTOSCALE_STEP || maximum % AUTOSCALE_STEP != 0) {
            throw StatusException.badRequest("Requested throughput " + maximum + " is less than required minimum"
                    + " throughput " + AUTOSCALE_STEP + ", or not in steps of " + AUTOSCALE_STEP + ".");
        }
    }

    private static WireResponse respond(ObjectNode offer) {
        boolean scales = offer.path("content").path("offerAutopilotSettings").isObject();
        return WireResponse.resource(200, offer)
                .header(Headers.OFFER_MINIMUM, Integer.toString(scales ? AUTOSCALE_STEP : MANUAL_MINIMUM))
                .header(Headers.OFFER_REPLACE_PENDING, "false");
    }
}
