package io.sluice.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sluice.emulator.document.hybridrow.BatchRows;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Sends batches to a container of the database {@code tests}, with the headers and in the form of the SDK for .NET. */
record RawBatches(CosmosEmulator emulator, String container) {
    /** Of a transaction on the partition key {@code a}. */
    static final Map<String, String> BATCH = Map.of(
            "x-ms-documentdb-partitionkey", "[\"a\"]",
            "x-ms-cosmos-is-batch-request", "True",
            "x-ms-cosmos-batch-atomic", "True",
            "x-ms-cosmos-batch-ordered", "True");

    /** Of a bulk request. */
    static Map<String, String> bulk(String range) {
        return Map.of(
                "x-ms-documentdb-partitionkeyrangeid", range,
                "x-ms-cosmos-is-batch-request", "True",
                "x-ms-cosmos-batch-atomic", "False",
                "x-ms-cosmos-batch-continue-on-error", "True");
    }

    RawConnection.Answer send(Map<String, String> headers, ArrayNode operations) throws IOException {
        return send(headers, BatchRows.writeOperations(operations));
    }

    RawConnection.Answer send(Map<String, String> headers, byte[] body) throws IOException {
        var request = RawRequest.of("POST", "dbs/tests/colls/" + container + "/docs", headers, "")
                .withBody(body);
        try (var connection = new RawConnection(URI.create(emulator.endpoint()))) {
            return Objects.requireNonNull(connection.send(request.bytes(emulator.key())));
        }
    }

    static ArrayNode results(RawConnection.Answer answer) {
        return BatchRows.readResults(answer.body().array());
    }

    static List<Integer> statuses(ArrayNode results) {
        return results.findValues("statusCode").stream().map(JsonNode::intValue).toList();
    }
}
