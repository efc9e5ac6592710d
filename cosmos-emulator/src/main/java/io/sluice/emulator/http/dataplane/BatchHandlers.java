package io.sluice.emulator.http.dataplane;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sluice.emulator.batch.BatchOperation;
import io.sluice.emulator.batch.BatchResult;
import io.sluice.emulator.batch.Batches;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.document.hybridrow.HybridRow;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.http.message.WireResponse;
import java.util.List;

/**
 * Transactional batches, and bulk requests, whose operations succeed or fail one by one. Results have the form of the
 * request, JSON or HybridRow; the refusal of a whole request is JSON.
 */
public final class BatchHandlers {
    private static final int MAX_BODY_BYTES = 2 * 1024 * 1024;

    private final RequestTargets targets;

    /** @param targets resolves what a batch addresses */
    public BatchHandlers(RequestTargets targets) {
        this.targets = targets;
    }

    /** Runs a transactional batch. */
    public WireResponse batch(WireRequest request) {
        var target = targets.resolve(request);
        var key = target.requiredKey();
        var operations = Batches.parse(operations(request));
        var partition = target.container().partitionOf(key);
        target.admit(partition);
        var results = Batches.atomic(partition, key, operations);
        return target.respond(partition, partition.lsn(), responseOf(operations, results, request), request);
    }

    /** Runs a bulk request, whose operations succeed or fail one by one. */
    public WireResponse bulk(WireRequest request) {
        var target = targets.resolve(request);
        var range = request.header(Headers.PARTITION_KEY_RANGE);
        if (range == null) {
            throw StatusException.badRequest("A batch without transaction must name a partition key range.");
        }
        var operations = Batches.parse(operations(request));
        var partition = target.range(range);
        target.admit(partition);
        var results = Batches.separate(
                target.container(), partition, operations, request.isSet(Headers.BATCH_CONTINUE_ON_ERROR));
        return target.respond(partition, partition.lsn(), responseOf(operations, results, request), request);
    }

    /**
     * Whether a batch is a transaction: its header says so, or it names a partition key and lacks the header. SDKs send
     * bulk requests with {@code False} and a range; some clients of the REST API send transactions without the header.
     */
    public static boolean isAtomic(WireRequest request) {
        return request.header(Headers.BATCH_ATOMIC) == null
                ? request.header(Headers.PARTITION_KEY) != null
                : request.isSet(Headers.BATCH_ATOMIC);
    }

    private static ArrayNode operations(WireRequest request) {
        if (request.body().length > MAX_BODY_BYTES) {
            throw StatusException.tooLarge("Request size is too large: a batch may have " + MAX_BODY_BYTES
                    + " bytes, was " + request.body().length);
        }
        if (request.json() instanceof ArrayNode array) {
            return array;
        }
        throw StatusException.badRequest("The body of a batch must be a JSON array of operations.");
    }

    private static WireResponse responseOf(
            List<BatchOperation> operations, List<BatchResult> results, WireRequest request) {
        var body = Json.object().putArray("results");
        double charge = 0;
        int items = 0;
        boolean failed = false;
        for (int i = 0; i < results.size(); i++) {
            var result = results.get(i);
            body.add(result.toJson(
                    !request.prefersMinimal() && !operations.get(i).prefersMinimal()));
            charge += result.requestCharge();
            items += result.hasBody() ? 1 : 0;
            failed |= result.isFailure();
        }
        var bytes = HybridRow.isRows(request.body()) ? HybridRow.writeResults(body) : Json.bytes(body);
        return WireResponse.json(failed ? 207 : 200, bytes)
                .charge(Math.round(charge * 100) / 100.0)
                .items(items);
    }
}
