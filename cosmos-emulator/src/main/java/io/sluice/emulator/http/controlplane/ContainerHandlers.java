package io.sluice.emulator.http.controlplane;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.QueryRequest;
import io.sluice.emulator.http.message.ResourceList;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.http.message.WireResponse;
import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.Container;
import io.sluice.emulator.store.Partition;
import io.sluice.emulator.throughput.RequestUnits;
import java.util.List;
import java.util.Objects;

/** Containers and their partition key ranges. */
public final class ContainerHandlers {
    /** The percentage of a changed policy that is in effect: all of it, at once. */
    private static final String INDEXED = "100";

    private final Account account;

    public ContainerHandlers(Account account) {
        this.account = account;
    }

    /** Creates a container. */
    public WireResponse create(WireRequest request) {
        var database = account.owner(request.path().database());
        var offer = OfferHandlers.requestedOffer(request);
        var container = account.createContainer(database, request.object(), offer);
        return respond(201, container, request);
    }

    /** Reads a container's properties, and how much it holds if that is asked for. */
    public WireResponse read(WireRequest request) {
        var container = container(request);
        var described = container.describe();
        boolean isQuotaAsked = request.isSet(Headers.POPULATE_QUOTA);
        if (!isQuotaAsked && !request.isSet(Headers.POPULATE_STATISTICS)) {
            return respond(200, container, described, request);
        }
        var usage = ContainerUsage.of(container);
        if (request.isSet(Headers.POPULATE_STATISTICS)) {
            described.set("statistics", usage.statistics());
        }
        var response = respond(200, container, described, request);
        return isQuotaAsked
                ? response.header(Headers.RESOURCE_QUOTA, ContainerUsage.quota())
                        .header(Headers.RESOURCE_USAGE, usage.usage())
                        .header(Headers.INDEX_PROGRESS, INDEXED)
                : response;
    }

    /** Replaces a container's properties. */
    public WireResponse replace(WireRequest request) {
        var database = account.database(request.path().database());
        var container = container(request);
        account.replaceContainer(database, container, request.object(), request.precondition());
        return respond(200, container, request);
    }

    /** Deletes a container with its items. */
    public WireResponse delete(WireRequest request) {
        var container = container(request);
        account.deleteContainer(account.database(request.path().database()), container, request.precondition());
        return WireResponse.empty(204)
                .header(Headers.CONTAINER_RID, container.rid())
                .charge(RequestUnits.METADATA);
    }

    /** Lists the containers of a database, or queries them. */
    public WireResponse list(WireRequest request) {
        var database = account.owner(request.path().database());
        var all = database.containers().stream().map(Container::describe).toList();
        return ResourceList.respond("DocumentCollections", database.rid(), all, request);
    }

    /** Lists the conflicts of a container, or queries them. Every write is decided at once, so there are none. */
    public WireResponse conflicts(WireRequest request) {
        if (QueryRequest.isQuery(request) && request.header(Headers.PARTITION_KEY) == null) {
            QueryRequest.checkAllKeysAllowed(request);
        }
        return ResourceList.respond("Conflicts", container(request).rid(), List.of(), request);
    }

    /** Lists the partition key ranges of a container; 304 when the client knows them already. */
    public WireResponse partitionKeyRanges(WireRequest request) {
        var container = account.owner(
                request.path().database(), Objects.requireNonNull(request.path().container()));
        var known = request.header(Headers.IF_NONE_MATCH);
        var etag = "\"" + container.layoutVersion() + "\"";
        if (etag.equals(known)) {
            return WireResponse.empty(304).header(Headers.ETAG, etag).charge(RequestUnits.METADATA);
        }
        var all = container.partitions().stream()
                .map(partition -> describe(container, partition, etag))
                .toList();
        return ResourceList.respond("PartitionKeyRanges", container.rid(), all, request)
                .header(Headers.ETAG, etag)
                .header(Headers.CONTAINER_RID, container.rid());
    }

    private static ObjectNode describe(Container container, Partition partition, String etag) {
        var described = Json.object().put("_rid", partition.rid()).put("id", partition.id());
        described.put("_etag", etag);
        described
                .put("minInclusive", partition.range().min())
                .put("maxExclusive", partition.range().max());
        described.put("ridPrefix", Integer.parseInt(partition.id()));
        described.put("_self", container.selfLink() + "pkranges/" + partition.rid() + "/");
        described.put("throughputFraction", 1.0 / container.partitions().size()).put("status", "online");
        partition.ancestors().forEach(described.putArray("parents")::add);
        return described.put("_ts", 0).put("lsn", partition.lsn());
    }

    private Container container(WireRequest request) {
        return account.container(
                request.path().database(), Objects.requireNonNull(request.path().container()));
    }

    private static WireResponse respond(int status, Container container, WireRequest request) {
        return respond(status, container, container.describe(), request);
    }

    private static WireResponse respond(int status, Container container, ObjectNode described, WireRequest request) {
        return WireResponse.resource(status, described)
                .header(Headers.CONTAINER_RID, container.rid())
                // The owner's path: the SDK appends the container to it.
                .header(Headers.CONTAINER_PATH, "dbs/" + request.path().database());
    }
}
