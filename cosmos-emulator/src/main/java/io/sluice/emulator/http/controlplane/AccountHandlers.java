package io.sluice.emulator.http.controlplane;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sluice.emulator.Topology;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.http.message.WireResponse;
import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;

/** The account: its regions and what a client must know of it before it sends anything else. */
public final class AccountHandlers {
    private static final Pattern AUTHORITY = Pattern.compile("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?");

    /** What queries may hold. The SDK for .NET fails all queries when it is empty, and on Windows plans them by it. */
    private static final String QUERY_ENGINE = Json.object()
            .put("maxSqlQueryInputLength", 512 * 1024)
            .put("maxJoinsPerSqlQuery", 10)
            .put("maxLogicalAndPerSqlQuery", 2000)
            .put("maxLogicalOrPerSqlQuery", 2000)
            .put("maxUdfRefPerSqlQuery", 10)
            .put("maxInExpressionItemsCount", 16000)
            .put("queryMaxInMemorySortDocumentCount", 500)
            .put("maxQueryRequestTimeoutFraction", 0.9)
            .put("sqlAllowNonFiniteNumbers", false)
            .put("sqlAllowAggregateFunctions", true)
            .put("sqlAllowSubQuery", true)
            .put("sqlAllowScalarSubQuery", true)
            .put("allowNewKeywords", true)
            .put("sqlAllowLike", true)
            .put("sqlAllowGroupByClause", true)
            .put("maxSpatialQueryCells", 12)
            .put("spatialMaxGeometryPointCount", 256)
            .put("sqlDisableQueryILOptimization", false)
            .put("sqlDisableFilterPlanOptimization", false)
            .put("sqlAllowTop", true)
            .put("enableSpatialIndexing", false)
            .toString();

    private final Topology topology;
    private final boolean continuousBackup;
    private final boolean beyondLoopback;

    /**
     * @param continuousBackup whether the account says that it has one
     * @param beyondLoopback whether other machines can reach it
     */
    public AccountHandlers(Topology topology, boolean continuousBackup, boolean beyondLoopback) {
        this.topology = topology;
        this.continuousBackup = continuousBackup;
        this.beyondLoopback = beyondLoopback;
    }

    /** The account's properties. */
    public WireResponse read(WireRequest request) {
        var body = Json.object().put("id", "sluice-emulator").put("_rid", "sluice-emulator.documents.azure.com");
        body.put("_self", "").put("_dbs", "//dbs/").put("media", "//media/").put("addresses", "//addresses/");
        body.set("writableLocations", locations(topology.writeRegions(), request));
        body.set("readableLocations", locations(topology.regions(), request));
        body.put("enableMultipleWriteLocations", topology.hasMultipleWriteRegions());
        if (topology.hasPartitionFailover()) {
            body.put("enablePerPartitionFailoverBehavior", true);
        }
        body.put("continuousBackupEnabled", continuousBackup);
        body.putObject("userReplicationPolicy")
                .put("asyncReplication", false)
                .put("minReplicaSetSize", 1)
                .put("maxReplicasetSize", 4);
        body.putObject("userConsistencyPolicy").put("defaultConsistencyLevel", "Session");
        body.putObject("systemReplicationPolicy").put("minReplicaSetSize", 1).put("maxReplicasetSize", 4);
        body.putObject("readPolicy").put("primaryReadCoefficient", 1).put("secondaryReadCoefficient", 1);
        body.put("queryEngineConfiguration", QUERY_ENGINE);
        // The SDK parses both headers without asking whether they are there.
        return WireResponse.resource(200, body)
                .header("x-ms-max-media-storage-usage-mb", "2048")
                .header("x-ms-media-storage-usage-mb", "0");
    }

    private ArrayNode locations(List<String> names, WireRequest request) {
        var locations = Json.object().putArray("locations");
        for (var name : names) {
            locations.addObject().put("name", name).put("databaseAccountEndpoint", endpoint(name, request));
        }
        return locations;
    }

    /**
     * Beyond loopback only the client knows the host name by which it reached the emulator. With a single region the
     * port may have been mapped on the way, so the client's port counts too.
     */
    private String endpoint(String region, WireRequest request) {
        var endpoint = topology.endpoint(region);
        var authority = request.header("Host");
        if (!beyondLoopback
                || authority == null
                || !AUTHORITY.matcher(authority).matches()) {
            return endpoint;
        }
        var listening = URI.create(endpoint);
        return topology.regions().size() == 1
                ? listening.getScheme() + "://" + authority + "/"
                : listening.getScheme() + "://" + authority.replaceFirst(":\\d+$", "") + ":" + listening.getPort()
                        + "/";
    }
}
