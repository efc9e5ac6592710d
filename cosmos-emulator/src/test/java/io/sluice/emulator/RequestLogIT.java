package io.sluice.emulator;

import static io.sluice.emulator.Clients.item;
import static io.sluice.emulator.Clients.query;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RequestLogIT {
    private static final String OTHER_KEY = "b3RoZXIga2V5";
    private static final PartitionKey A = new PartitionKey("a");

    @RegisterExtension
    static final RunningEmulator EMULATOR = RunningEmulator.inMemory();

    private CosmosContainer container;
    private RequestLog log;

    @BeforeEach
    void makeContainer() {
        container = EMULATOR.container();
        container.upsertItem(item("warm", "up"));
        log = EMULATOR.emulator().requests();
        log.clear();
    }

    @Test
    void has_a_point_operation_with_key_id_status_and_charge() {
        container.createItem(item("a", "1"));
        container.readItem("1", A, ObjectNode.class);

        assertThat(log.all())
                .extracting(LoggedRequest::operation)
                .containsExactly(RequestKind.ITEM_CREATE, RequestKind.ITEM_READ);
        assertThat(log.all()).extracting(LoggedRequest::userAgent).allMatch(agent -> agent.startsWith("azsdk-java-"));
        assertThat(log.all().get(0))
                .returns("POST", LoggedRequest::method)
                .returns("[\"a\"]", LoggedRequest::partitionKey)
                .returns("1", LoggedRequest::itemId)
                .returns(container.getId(), LoggedRequest::container)
                .returns(201, LoggedRequest::status)
                .returns(4.95, LoggedRequest::requestCharge);
        assertThat(log.all().get(1)).returns(1, LoggedRequest::itemCount).returns(1.0, LoggedRequest::requestCharge);
        assertThat(log.all().get(1).sequence()).isGreaterThan(log.all().get(0).sequence());
    }

    @Test
    void has_the_operations_of_a_batch() {
        container.createItem(item("a", "old"));
        log.clear();
        var batch = CosmosBatch.createCosmosBatch(A);
        batch.createItemOperation(item("a", "new"));
        batch.patchItemOperation("old", CosmosPatchOperations.create().set("/n", 1));
        batch.deleteItemOperation("new");

        container.executeCosmosBatch(batch);

        assertThat(log.all())
                .singleElement()
                .returns(RequestKind.BATCH, LoggedRequest::operation)
                .returns("create:new,patch:old,delete:new", LoggedRequest::body)
                .returns(19.8, LoggedRequest::requestCharge);
    }

    @Test
    void tells_data_requests_from_plans_and_metadata() {
        container.createItem(item("a", "1"));
        log.clear();

        query(container, "SELECT * FROM c ORDER BY c.id");
        container.read();

        assertThat(log.matching(request -> request.operation().isData()))
                .hasSize(4)
                .allSatisfy(request -> assertThat(request.body()).contains("ORDER BY c.id"));
        assertThat(log.matching(request -> !request.operation().isData()).map(LoggedRequest::operation))
                .containsExactlyInAnyOrder(RequestKind.QUERY_PLAN, RequestKind.CONTAINER_READ);
        assertThat(log.matching(request -> request.operation() == RequestKind.QUERY)
                        .mapToInt(LoggedRequest::itemCount)
                        .sum())
                .isEqualTo(2);
    }

    @Test
    void tells_what_was_read_for_a_page_from_what_is_on_it_and_how_long_each_took() {
        container.createItem(item("a", "1"));
        container.createItem(item("a", "2"));
        log.clear();

        query(container, "SELECT VALUE COUNT(1) FROM c");

        var pages = log.matching(request -> request.operation() == RequestKind.QUERY)
                .toList();
        assertThat(pages).hasSize(4).extracting(LoggedRequest::itemCount).containsOnly(1);
        assertThat(pages.stream().mapToLong(LoggedRequest::itemsRead).sum()).isEqualTo(3);
        assertThat(log.all()).allSatisfy(request -> assertThat(request.took()).isPositive());
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void has_of_a_request_with_a_wrong_signature_only_what_is_outside_of_its_body(
            RequestKind kind, Map<String, String> headers, String body) throws IOException {
        var request = RawRequest.of("POST", "dbs/tests/colls/" + container.getId() + "/docs", headers, body);

        var signed = send(request, EMULATOR.emulator().key());
        var unsigned = send(request, OTHER_KEY);

        assertThat(signed.status()).isLessThan(300);
        assertThat(unsigned.status()).isEqualTo(401);
        assertThat(log.all()).extracting(LoggedRequest::operation).containsExactly(kind, kind);
        assertThat(log.all().get(0))
                .as("a parsed body")
                .matches(entry -> entry.itemId() != null || !entry.body().isEmpty());
        assertThat(log.all().get(1))
                .as("an unparsed body")
                .returns(null, LoggedRequest::itemId)
                .returns("", LoggedRequest::body)
                .returns(401, LoggedRequest::status)
                .returns("[\"a\"]", LoggedRequest::partitionKey)
                .returns(container.getId(), LoggedRequest::container)
                .returns(body.length(), LoggedRequest::bytesIn);
    }

    static Stream<Arguments> bodies() {
        var key = Map.of("x-ms-documentdb-partitionkey", "[\"a\"]");
        var query = Map.of("x-ms-documentdb-partitionkey", "[\"a\"]", "x-ms-documentdb-isquery", "True");
        return Stream.of(
                Arguments.of(RequestKind.ITEM_CREATE, key, "{\"id\":\"1\",\"pk\":\"a\"}"),
                Arguments.of(RequestKind.QUERY, query, "{\"query\":\"SELECT * FROM c\"}"),
                Arguments.of(
                        RequestKind.BATCH,
                        RawBatches.BATCH,
                        "[{\"operationType\":\"Upsert\",\"resourceBody\":{\"id\":\"1\",\"pk\":\"a\"}}]"));
    }

    @Test
    void faults_hit_requests_with_a_wrong_signature_too() throws IOException {
        EMULATOR.emulator().faults().delay(request -> true, 1, Duration.ofMillis(1));

        var answer = send(RawRequest.of("GET", "dbs/tests", Map.of(), ""), OTHER_KEY);

        assertThat(answer.status()).isEqualTo(401);
        assertThat(log.all())
                .singleElement()
                .returns(401, LoggedRequest::status)
                .returns("delay", LoggedRequest::fault);
    }

    private static RawConnection.Answer send(RawRequest request, String key) throws IOException {
        try (var connection = new RawConnection(URI.create(EMULATOR.emulator().endpoint()))) {
            return Objects.requireNonNull(connection.send(request.bytes(key)));
        }
    }

    @Test
    void forgets_when_told_to() {
        container.createItem(item("a", "1"));

        log.clear();

        assertThat(log.size()).isZero();
        assertThat(log.all()).isEmpty();
    }
}
