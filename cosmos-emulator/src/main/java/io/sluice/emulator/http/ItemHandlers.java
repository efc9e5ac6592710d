package io.sluice.emulator.http;

import io.sluice.emulator.batch.PatchRequest;
import io.sluice.emulator.store.Partition;
import io.sluice.emulator.store.PartitionKey;
import io.sluice.emulator.store.Precondition;
import io.sluice.emulator.store.Refusal;
import io.sluice.emulator.store.StoredItem;
import io.sluice.emulator.throughput.RequestUnits;
import java.util.Objects;

/** Point operations on items. */
final class ItemHandlers {
    private final Targets targets;

    ItemHandlers(Targets targets) {
        this.targets = targets;
    }

    WireAnswer read(WireRequest request) {
        return serve(request, (partition, key) -> {
            SessionTokens.check(request, partition);
            var item = partition.find(key, id(request)).orElseThrow(Refusal::notFound);
            var charge = RequestUnits.pointRead(item.sizeBytes());
            if (item.etag().equals(request.header(Headers.IF_NONE_MATCH))) {
                return WireAnswer.empty(304).header(Headers.ETAG, item.etag()).charge(charge);
            }
            return WireAnswer.json(200, item.json())
                    .header(Headers.ETAG, item.etag())
                    .charge(charge)
                    .items(1);
        });
    }

    WireAnswer create(WireRequest request) {
        return serve(request, (partition, key) -> {
            var item = partition.write(transaction -> transaction.create(key, request.object()));
            return written(201, item, RequestUnits.insert(item.sizeBytes()), request);
        });
    }

    WireAnswer upsert(WireRequest request) {
        return serve(request, (partition, key) -> {
            var document = request.object();
            var written = partition.write(transaction -> {
                boolean existed = transaction.exists(key, document.path("id").asText());
                return new Upserted(existed, transaction.upsert(key, document, precondition(request)));
            });
            int size = written.item().sizeBytes();
            double charge = written.existed() ? RequestUnits.replace(size) : RequestUnits.insert(size);
            return written(written.existed() ? 200 : 201, written.item(), charge, request);
        });
    }

    WireAnswer replace(WireRequest request) {
        return serve(request, (partition, key) -> {
            var item = partition.write(
                    transaction -> transaction.replace(key, id(request), request.object(), precondition(request)));
            return written(200, item, RequestUnits.replace(item.sizeBytes()), request);
        });
    }

    WireAnswer patch(WireRequest request) {
        return serve(request, (partition, key) -> {
            var patch = PatchRequest.parse(request.json());
            var item = partition.write(
                    transaction -> transaction.edit(key, id(request), patch::apply, precondition(request)));
            return written(200, item, RequestUnits.replace(item.sizeBytes()), request);
        });
    }

    WireAnswer delete(WireRequest request) {
        return serve(request, (partition, key) -> {
            var item = partition.write(transaction -> transaction.delete(key, id(request), precondition(request)));
            return WireAnswer.empty(204).charge(RequestUnits.delete(item.sizeBytes()));
        });
    }

    /** What an upsert did. */
    private record Upserted(boolean existed, StoredItem item) {}

    /** One operation in the partition of its key. */
    private interface Operation {
        WireAnswer run(Partition partition, PartitionKey key);
    }

    /** Refusals of the partition carry its session token too, as the service's do. */
    private WireAnswer serve(WireRequest request, Operation operation) {
        var target = targets.of(request);
        var key = target.requiredKey();
        var partition = target.container().partitionOf(key);
        target.admit(partition);
        WireAnswer answer;
        try {
            answer = operation.run(partition, key);
        } catch (Refusal refusal) {
            if (refusal.isPartitionGone()) {
                throw refusal;
            }
            answer = WireAnswer.refusal(refusal, request.activityId()).charge(RequestUnits.REFUSED_WRITE);
        }
        return target.from(partition, partition.lsn(), answer, request);
    }

    private static WireAnswer written(int status, StoredItem item, double charge, WireRequest request) {
        var answer = request.prefersMinimal() ? WireAnswer.empty(status) : WireAnswer.json(status, item.json());
        return answer.header(Headers.ETAG, item.etag()).charge(charge).items(request.prefersMinimal() ? 0 : 1);
    }

    private static String id(WireRequest request) {
        return Objects.requireNonNull(request.path().child());
    }

    private static Precondition precondition(WireRequest request) {
        return new Precondition(request.header(Headers.IF_MATCH), request.header(Headers.IF_NONE_MATCH));
    }
}
