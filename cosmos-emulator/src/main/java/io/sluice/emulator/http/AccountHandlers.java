package io.sluice.emulator.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.Json;
import io.sluice.emulator.store.Refusal;
import io.sluice.emulator.throughput.RequestUnits;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/** The account itself, its databases, and the throughput bought in it. */
final class AccountHandlers {
    private static final String REGION = "Emulator";
    private static final String SECOND_REGION = "Emulator 2";

    private final Account account;
    private final boolean multipleWriteRegions;
    private final Supplier<String> endpoint;

    /** @param endpoint where the server listens, known once it does */
    AccountHandlers(Account account, boolean multipleWriteRegions, Supplier<String> endpoint) {
        this.account = account;
        this.multipleWriteRegions = multipleWriteRegions;
        this.endpoint = endpoint;
    }

    WireAnswer readAccount(WireRequest request) {
        var body = Json.object().put("id", "sluice-emulator").put("_rid", "sluice-emulator.documents.azure.com");
        body.put("_self", "").put("_dbs", "//dbs/").put("media", "//media/").put("addresses", "//addresses/");
        var regions = multipleWriteRegions ? List.of(REGION, SECOND_REGION) : List.of(REGION);
        body.set("writableLocations", locations(regions));
        body.set("readableLocations", locations(regions));
        body.put("enableMultipleWriteLocations", multipleWriteRegions).put("continuousBackupEnabled", false);
        body.putObject("userReplicationPolicy")
                .put("asyncReplication", false)
                .put("minReplicaSetSize", 1)
                .put("maxReplicasetSize", 4);
        body.putObject("userConsistencyPolicy").put("defaultConsistencyLevel", "Session");
        body.putObject("systemReplicationPolicy").put("minReplicaSetSize", 1).put("maxReplicasetSize", 4);
        body.putObject("readPolicy").put("primaryReadCoefficient", 1).put("secondaryReadCoefficient", 1);
        body.put("queryEngineConfiguration", "{}");
        // The SDK parses both headers without asking whether they are there.
        return answer(200, body)
                .header("x-ms-max-media-storage-usage-mb", "2048")
                .header("x-ms-media-storage-usage-mb", "0");
    }

    WireAnswer createDatabase(WireRequest request) {
        var database = account.createDatabase(request.object());
        buy(request, database.rid(), "dbs/" + database.rid() + "/");
        return answer(201, database.describe());
    }

    WireAnswer readDatabase(WireRequest request) {
        return answer(200, account.database(request.path().database()).describe());
    }

    WireAnswer listDatabases(WireRequest request) {
        var all = account.databases().stream()
                .map(database -> database.describe())
                .toList();
        return Listing.answer("Databases", "", all, request);
    }

    WireAnswer deleteDatabase(WireRequest request) {
        account.deleteDatabase(account.database(request.path().database()));
        return WireAnswer.empty(204).charge(RequestUnits.METADATA);
    }

    WireAnswer listOffers(WireRequest request) {
        return Listing.answer("Offers", "", account.offers().all(), request);
    }

    WireAnswer readOffer(WireRequest request) {
        return answer(200, account.offers().find(request.path().last()).orElseThrow(Refusal::notFound));
    }

    WireAnswer replaceOffer(WireRequest request) {
        return answer(200, account.offers().replace(request.path().last(), request.object()));
    }

    /** Notes the throughput a creation asks for, if it does. */
    void buy(WireRequest request, String rid, String link) {
        var autopilot = request.header(Headers.OFFER_AUTOPILOT);
        int throughput = request.number(Headers.OFFER_THROUGHPUT, 0);
        if (autopilot != null) {
            var settings = Json.readObject(autopilot.getBytes(StandardCharsets.UTF_8));
            var content = Json.object()
                    .put("offerThroughput", settings.path("maxThroughput").asInt() / 10);
            content.set("offerAutopilotSettings", settings);
            account.offers().put(rid, link, content);
        } else if (throughput > 0) {
            account.offers().put(rid, link, Json.object().put("offerThroughput", throughput));
        }
    }

    static WireAnswer answer(int status, ObjectNode body) {
        var answer = WireAnswer.json(status, body).charge(RequestUnits.METADATA);
        var etag = body.path("_etag");
        return etag.isTextual() ? answer.header(Headers.ETAG, etag.textValue()) : answer;
    }

    private ArrayNode locations(List<String> names) {
        var locations = Json.object().putArray("locations");
        for (var name : names) {
            locations.addObject().put("name", name).put("databaseAccountEndpoint", endpoint.get());
        }
        return locations;
    }
}
