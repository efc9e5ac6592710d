package io.sluice.emulator.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.Topology;
import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.Json;
import io.sluice.emulator.throughput.RequestUnits;
import java.util.List;

/** The account itself and its databases. */
final class AccountHandlers {
    private final Account account;
    private final OfferHandlers offers;
    private final Topology topology;
    private final boolean continuousBackup;

    AccountHandlers(Account account, Topology topology, boolean continuousBackup) {
        this.account = account;
        this.offers = new OfferHandlers(account.offers());
        this.topology = topology;
        this.continuousBackup = continuousBackup;
    }

    WireAnswer readAccount(WireRequest request) {
        var body = Json.object().put("id", "sluice-emulator").put("_rid", "sluice-emulator.documents.azure.com");
        body.put("_self", "").put("_dbs", "//dbs/").put("media", "//media/").put("addresses", "//addresses/");
        body.set("writableLocations", locations(topology, topology.writeRegions()));
        body.set("readableLocations", locations(topology, topology.regions()));
        body.put("enableMultipleWriteLocations", topology.hasMultipleWriteRegions());
        body.put("continuousBackupEnabled", continuousBackup);
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

    OfferHandlers offers() {
        return offers;
    }

    WireAnswer createDatabase(WireRequest request) {
        var throughput = OfferHandlers.wanted(request);
        var database = account.createDatabase(request.object());
        offers.buy(throughput, database.rid(), "dbs/" + database.rid() + "/");
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

    static WireAnswer answer(int status, ObjectNode body) {
        var answer = WireAnswer.json(status, body).charge(RequestUnits.METADATA);
        var etag = body.path("_etag");
        return etag.isTextual() ? answer.header(Headers.ETAG, etag.textValue()) : answer;
    }

    private static ArrayNode locations(Topology regions, List<String> names) {
        var locations = Json.object().putArray("locations");
        for (var name : names) {
            locations.addObject().put("name", name).put("databaseAccountEndpoint", regions.endpoint(name));
        }
        return locations;
    }
}
