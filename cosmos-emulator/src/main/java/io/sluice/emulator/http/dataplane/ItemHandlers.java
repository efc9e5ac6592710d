package io.sluice.emulator.http.dataplane;

import io.sluice.emulator.batch.PatchRequest;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.http.message.WireResponse;
import io.sluice.emulator.store.Partition;
import io.sluice.emulator.store.Precondition;
import io.sluice.emulator.store.item.StoredItem;
import io.sluice.emulator.store.key.PartitionKey;
import io.sluice.emulator.throughput.RequestUnits;
import java.util.Objects;

/** Point operations on items. */
public final class ItemHandlers {
    private final RequestTargets targets;

    /** @param targets resolves what a request addresses */
    public ItemHandlers(RequestTargets targets) {
        this.targets = targets;
    }

    /** Reads an item; 304 when the client has its latest version. */
    public WireResponse read(WireRequest request) {
        return serve(request, (partition, key) -> {
            SessionTokens.check(request, partition);
            var item = partition.find(key, id(request)).orElseThrow(StatusException::notFound);
            var charge = RequestUnits.pointRead(item.sizeBytes());
            if (item.etag().equals(request.header(Headers.IF_NONE_MATCH))) {
                return WireResponse.empty(304).header(Headers.ETAG, item.etag()).charge(charge);
            }
            return WireResponse.json(200, item.json())
                    .header(Headers.ETAG, item.etag())
                    .charge(charge)
                    .items(1);
        });
    }

    /** Creates an item. */
    public WireResponse create(WireRequest request) {
        return serve(request, (partition, key) -> {
            var item = partition.write(transaction -> transaction.create(key, request.object()));
            return written(201, item, RequestUnits.insert(item.sizeBytes()), request);
        });
    }

    /** Creates or replaces an item. */
    public WireResponse upsert(WireRequest request) {
        return serve(request, (partition, key) -> {
            var document = request.object();
            var written = partition.write(transaction -> {
                boolean existed = transaction.exists(key, document.path("id").asText());
                return new UpsertResult(existed, transaction.upsert(key, document, precondition(request)));
            });
            int size = written.item().sizeBytes();
            double charge = written.existed() ? RequestUnits.replace(size) : RequestUnits.insert(size);
            return written(written.existed() ? 200 : 201, written.item(), charge, request);
        });
    }

    /** Replaces an item. */
    public WireResponse replace(WireRequest request) {
        return serve(request, (partition, key) -> {
            var item = partition.write(
                    transaction -> transaction.replace(key, id(request), request.object(), precondition(request)));
            return written(200, item, RequestUnits.replace(item.sizeBytes()), request);
        });
    }

    /** Patches an item. */
    public WireResponse patch(WireRequest request) {
        return serve(request, (partition, key) -> {
            var patch = PatchRequest.parse(request.json());
            var item = partition.write(
                    transaction -> transaction.edit(key, id(request), patch::apply, precondition(request)));
            return written(200, item, RequestUnits.replace(item.sizeBytes()), request);
        });
    }

    /** Deletes an item. */
    public WireResponse delete(WireRequest request) {
        return serve(request, (partition, key) -> {
            var item = partition.write(transaction -> transaction.delete(key, id(request), precondition(request)));
            return WireResponse.empty(204).charge(RequestUnits.delete(item.sizeBytes()));
        });
    }

    /** What an upsert did. */
    private record UpsertResult(boolean existed, StoredItem item) {}

    /** One operation in the partition of its key. */
    private interface PartitionOperation {
        WireResponse run(Partition partition, PartitionKey key);
    }

    /** Runs an operation. An error response carries the session token too, as on the service. */
    private WireResponse serve(WireRequest request, PartitionOperation operation) {
        var target = targets.resolve(request);
        var key = target.requiredKey();
        var partition = target.container().partitionOf(key);
        target.admit(partition);
        WireResponse response;
        try {
            response = operation.run(partition, key);
        } catch (StatusException e) {
            if (e.isPartitionGone()) {
                throw e;
            }
            response = WireResponse.error(e, request.activityId()).charge(RequestUnits.REFUSED_WRITE);
        }
        return target.respond(partition, partition.lsn(), response, request);
    }

    private static WireResponse written(int status, StoredItem item, double charge, WireRequest request) {
        var response = request.prefersMinimal() ? WireResponse.empty(status) : WireResponse.json(status, item.json());
        return response.header(Headers.ETAG, item.etag()).charge(charge).items(request.prefersMinimal() ? 0 : 1);
    }

    private static String id(WireRequest request) {
        return Objects.requireNonNull(request.path().child());
    }

    private static Precondition precondition(WireRequest request) {
        return new Precondition(request.header(Headers.IF_MATCH), request.header(Headers.IF_NONE_MATCH));
    }
}
