package io.sluice.emulator.http.dataplane;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.batch.PatchRequest;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.http.message.WireResponse;
import io.sluice.emulator.store.ItemRules;
import io.sluice.emulator.store.Partition;
import io.sluice.emulator.store.Precondition;
import io.sluice.emulator.store.item.StoredItem;
import io.sluice.emulator.store.key.PartitionKey;
import io.sluice.emulator.throughput.RequestUnits;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Point operations on items. */
public final class ItemHandlers {
    private static final List<String> TRIGGERS = List.of(Headers.PRE_TRIGGERS, Headers.POST_TRIGGERS);

    private final RequestTargets targets;

    /** @param targets resolves what a request addresses */
    public ItemHandlers(RequestTargets targets) {
        this.targets = targets;
    }

    /** Reads an item; 304 when the client has its latest version. */
    public WireResponse read(WireRequest request) {
        return serve(request, true, at -> {
            SessionTokens.check(request, at.partition());
            var item = at.partition().find(at.key(), at.id(request)).orElseThrow(StatusException::notFound);
            var charge = RequestUnits.pointRead(item.sizeBytes());
            if (item.etag().equals(request.header(Headers.IF_NONE_MATCH))) {
                return WireResponse.empty(304).header(Headers.ETAG, item.etag()).charge(charge);
            }
            return WireResponse.json(200, item.json())
                    .header(Headers.ETAG, item.etag())
                    .header(Headers.ITEM_LSN, Long.toString(item.lsn()))
                    .charge(charge)
                    .items(1);
        });
    }

    /** Creates an item. */
    public WireResponse create(WireRequest request) {
        return write(request, at -> {
            var item = at.partition().write(transaction -> transaction.create(at.key(), document(request)));
            return written(201, item, RequestUnits.insert(item.sizeBytes()), request);
        });
    }

    /** Creates or replaces an item. */
    public WireResponse upsert(WireRequest request) {
        return write(request, at -> {
            var document = document(request);
            var written = at.partition().write(transaction -> {
                boolean existed =
                        transaction.exists(at.key(), document.path("id").asText());
                return new UpsertResult(existed, transaction.upsert(at.key(), document, request.precondition()));
            });
            int size = written.item().sizeBytes();
            double charge = written.existed() ? RequestUnits.replace(size) : RequestUnits.insert(size);
            return written(written.existed() ? 200 : 201, written.item(), charge, request);
        });
    }

    /** Replaces an item. */
    public WireResponse replace(WireRequest request) {
        return write(request, at -> {
            var id = at.id(request);
            var item = at.partition()
                    .write(transaction -> transaction.replace(at.key(), id, document(request), request.precondition()));
            return written(200, item, RequestUnits.replace(item.sizeBytes()), request);
        });
    }

    /** Patches an item. */
    public WireResponse patch(WireRequest request) {
        return write(request, at -> {
            var patch = PatchRequest.parse(request.json());
            var id = at.id(request);
            var item = at.partition()
                    .write(transaction -> transaction.edit(at.key(), id, patch::apply, request.precondition()));
            return written(200, item, RequestUnits.replace(item.sizeBytes()), request);
        });
    }

    /** Deletes an item. */
    public WireResponse delete(WireRequest request) {
        return write(request, at -> {
            var id = at.id(request);
            var item = at.partition().write(transaction -> transaction.delete(at.key(), id, request.precondition()));
            return WireResponse.empty(204).charge(RequestUnits.delete(item.sizeBytes()));
        });
    }

    /** Deletes all items of a partition key that are there now; the service does so in the background. */
    public WireResponse deleteAll(WireRequest request) {
        return serve(request, false, at -> {
            var ids = new ArrayList<String>();
            at.target().slice(at.key()).items(at.partition().view(), 0).forEachRemaining(item -> ids.add(item.id()));
            double charge = at.partition()
                    .write(transaction -> ids.stream()
                            .filter(id -> transaction.exists(at.key(), id))
                            .mapToDouble(id -> RequestUnits.delete(transaction
                                    .delete(at.key(), id, Precondition.NONE)
                                    .sizeBytes()))
                            .sum());
            return WireResponse.empty(200).charge(charge);
        });
    }

    private static ObjectNode document(WireRequest request) {
        ItemRules.checkSize(request.body());
        return request.object();
    }

    /** What an upsert did. */
    private record UpsertResult(boolean existed, StoredItem item) {}

    /** Where an operation takes place. */
    private record Place(RequestTarget target, Partition partition, PartitionKey key) {
        /**
         * The id of the item that the request names, by its id or, where it names the container so too, by resource id.
         *
         * @throws StatusException 404 when no item of the partition key has the resource id
         */
        String id(WireRequest request) {
            var child = Objects.requireNonNull(request.path().child());
            return target.isByRid(request) ? partition.idOf(key, child).orElseThrow(StatusException::notFound) : child;
        }
    }

    /** One operation in the partition of its key. */
    private interface PlacedOperation {
        WireResponse run(Place at);
    }

    /** Runs a write, unless it names triggers: there are none. */
    private WireResponse write(WireRequest request, PlacedOperation operation) {
        return serve(request, false, at -> {
            for (var header : TRIGGERS) {
                var named = request.header(header);
                if (named != null) {
                    throw StatusException.badRequest(
                            "There is no trigger " + named + ": triggers are not supported by this emulator.");
                }
            }
            return operation.run(at);
        });
    }

    /**
     * Runs an operation. An error response carries the session token too, as on the service. That of a read is no
     * further than what it showed: a write may come in between.
     */
    private WireResponse serve(WireRequest request, boolean isRead, PlacedOperation operation) {
        var target = targets.resolve(request);
        var key = target.requiredKey();
        var partition = target.partitionOf(key);
        target.admit(partition);
        long before = partition.lsn();
        WireResponse response;
        try {
            response = operation.run(new Place(target, partition, key));
        } catch (StatusException e) {
            if (e.isPartitionGone()) {
                throw e;
            }
            response = WireResponse.error(e, request.activityId()).charge(RequestUnits.REFUSED_WRITE);
        }
        return target.respond(partition, isRead ? before : partition.lsn(), response, request);
    }

    private static WireResponse written(int status, StoredItem item, double charge, WireRequest request) {
        var response = request.prefersMinimal() ? WireResponse.empty(status) : WireResponse.json(status, item.json());
        return response.header(Headers.ETAG, item.etag()).charge(charge).items(request.prefersMinimal() ? 0 : 1);
    }
}
