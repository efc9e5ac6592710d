package io.sluice.emulator.document.hybridrow;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sluice.emulator.document.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** Draws rows of batches, and damages their bytes. */
final class RandomRows {
    private RandomRows() {}

    static ArrayNode operations(Random random) {
        var rows = Json.nodes().arrayNode();
        for (int i = random.nextInt(5); i > 0; i--) {
            var row = rows.addObject();
            maybe(random, () -> row.put("operationType", random.nextInt(21)));
            maybe(random, () -> row.put("resourceType", random.nextInt()));
            maybe(random, () -> row.put("partitionKey", text(random)));
            maybe(random, () -> row.put("effectivePartitionKey", bytes(random)));
            maybe(random, () -> row.put("id", text(random)));
            maybe(random, () -> row.put("binaryId", bytes(random)));
            maybe(random, () -> row.put("resourceBody", "{\"id\":\"1\"}".getBytes(StandardCharsets.UTF_8)));
            maybe(random, () -> row.put("indexingDirective", text(random)));
            maybe(random, () -> row.put("ifMatch", text(random)));
            maybe(random, () -> row.put("ifNoneMatch", text(random)));
            maybe(random, () -> row.put("timeToLiveInSeconds", random.nextInt()));
            maybe(random, () -> row.put("minimalReturnPreference", random.nextBoolean()));
        }
        return rows;
    }

    static ArrayNode results(Random random) {
        var rows = Json.nodes().arrayNode();
        for (int i = random.nextInt(5); i > 0; i--) {
            var row = rows.addObject();
            maybe(random, () -> row.put("statusCode", random.nextInt(600)));
            maybe(random, () -> row.put("subStatusCode", random.nextInt()));
            maybe(random, () -> row.put("eTag", text(random)));
            maybe(random, () -> row.put("resourceBody", bytes(random)));
            maybe(random, () -> row.put("retryAfterMilliseconds", random.nextLong(1L << 32)));
            maybe(random, () -> row.put("requestCharge", random.nextDouble()));
        }
        return rows;
    }

    private static void maybe(Random random, Runnable work) {
        if (random.nextBoolean()) {
            work.run();
        }
    }

    private static String text(Random random) {
        return "aü€😀".substring(0, random.nextInt(4)).repeat(random.nextInt(80));
    }

    private static byte[] bytes(Random random) {
        var bytes = new byte[random.nextInt(300)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** With some bytes changed, or its end cut off. */
    static byte[] damaged(Random random, byte[] bytes) {
        if (random.nextInt(5) == 0) {
            return Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length));
        }
        var changed = bytes.clone();
        for (int damage = random.nextInt(3); damage >= 0; damage--) {
            changed[random.nextInt(changed.length)] = (byte) (random.nextBoolean() ? random.nextInt(256) : 0xFF);
        }
        return changed;
    }
}
