package io.sluice.relay.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import io.sluice.relay.topic.Topics;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** How long it takes to make a Kafka record of a history document. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RecordBuilding {
    private final HistoryRecords records = new HistoryRecords(
            new Topics("orders"), URI.create("https://account.documents.azure.com/dbs/sluice/colls/instances"));
    private final List<JsonNode> documents = List.of(document());

    private static JsonNode document() {
        var event = HistoryEvent.of(
                17,
                "order-4711",
                1,
                1_740_000_000_000L,
                "0.1.32",
                new EventKind.ActivityScheduled("Charge", "{\"sku\":\"0815\",\"count\":3}", null, null));
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", "order-4711:history:1:17")
                .put("instanceId", "order-4711")
                .put("type", "history")
                .put("executionId", 1)
                .put("eventId", 17)
                .put("eventData", HistoryJson.encode(event));
    }

    /** A document, as the change feed brings it, to its record. */
    @Benchmark
    public List<ProducerRecord<byte[], byte[]>> recordOfAHistoryDocument() {
        return records.of(documents);
    }
}
