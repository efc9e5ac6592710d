package io.sluice.emulator.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.Topology;
import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.Json;
import io.sluice.emulator.throughput.RequestUnits;
import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;

/** The account itself and its databases. */
final class AccountHandlers {
    private static final Pattern AUTHORITY = Pattern.compile("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?");

    private final Account account;
    private final OfferHandlers offers;
    private final Topology topology;
    private final ServerSettings settings;

    AccountHandlers(Account account, Topology topology, ServerSettings settings) {
        this.account = account;
        this.offers = new OfferHandlers(account.offers());
        this.topology = topology;
        this.settings = settings;
    }

    WireAnswer readAccount(WireRequest request) {
        var body = Json.object().put("id", "sluice-emulator").put("_rid", "sluice-emulator.documents.azure.com");
        body.put("_self", "").put("_dbs", "//dbs/").put("media", "//media/").put("addresses", "//addresses/");
        body.set("writableLocations", locations(topology.writeRegions(), request));
        body.set("readableLocations", locations(topology.regions(), request));
        body.put("enableMultipleWriteLocations", topology.hasMultipleWriteRegions());
        if (topology.hasPartitionFailover()) {
            body.put("enablePerPartitionFailoverBehavior", true);
        }
        body.put("continuousBackupEnabled", settings.continuousBackup());
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

    private ArrayNode locations(List<String> names, WireRequest request) {
        var locations = Json.object().putArray("locations");
        for (var name : names) {
            locations.addObject().put("name", name).put("databaseAccountEndpoint", endpoint(name, request));
        }
        return locations;
    }

    /** Beyond loopback nobody but the client knows by which host it came; a port may have been mapped on the way, if there is but one. */
    private String endpoint(String region, WireRequest request) {
        var endpoint = topology.endpoint(region);
        var authority = request.header("Host");
        if (!settings.isBeyondLoopback()
                || authority == null
                || !AUTHORITY.matcher(authority).matches()) {
            return endpoint;
        }
        var listening = URI.create(endpoint);
        return settings.regions().size() == 1
                ? listening.getScheme() + "://" + authority + "/"
                : listening.getScheme() + "://" + authority.replaceFirst(":\\d+$", "") + ":" + listening.getPort()
                        + "/";
    }
}
