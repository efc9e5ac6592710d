package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.HubClient.request;
import static io.sluice.durabletask.conformance.Refusals.assertRefused;
import static io.sluice.durabletask.turn.Answers.answer;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Empty;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ForwardingClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status.Code;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.sluice.durabletask.DurableTaskHost;
import io.sluice.durabletask.HostConfig;
import io.sluice.durabletask.access.StaticTokens;
import io.sluice.durabletask.wire.Protocol.DeleteTaskHubRequest;
import io.sluice.durabletask.wire.Protocol.GetWorkItemsRequest;
import io.sluice.durabletask.wire.Protocol.StreamInstanceHistoryRequest;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.testkit.CosmosAccount;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several task hubs of one host, and who may call what on which of them. */
class HubsAndTokensIT {
    private static final String TOKENS = """
            [{"token": "client-token-0123456789", "rights": ["client"]},
             {"token": "worker-token-0123456789", "rights": ["worker"]},
             {"token": "admin-token-01234567890", "rights": ["admin"]},
             {"token": "orders-token-0123456789", "rights": ["client", "worker"], "hubs": ["orders"]}]
            """;

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private static CosmosProvider orders;
    private static CosmosProvider billing;
    private static DurableTaskHost open;
    private static DurableTaskHost guarded;
    private static ManagedChannel toOpen;
    private static ManagedChannel toGuarded;

    @BeforeAll
    static void start() {
        orders = provider("orders");
        billing = provider("billing");
        Map<String, CosmosProvider> stores = Map.of("orders", orders, "billing", billing);
        open = DurableTaskHost.start(stores, HostConfig.local(0));
        guarded = DurableTaskHost.start(stores, HostConfig.local(0).withTokens(StaticTokens.parse(TOKENS)));
        toOpen = OpenHost.channel(open.port());
        toGuarded = OpenHost.channel(guarded.port());
    }

    private static CosmosProvider provider(String hub) {
        CosmosStoreConfig store = new CosmosStoreConfig(
                account.endpoint(), account.key(), account.database(), account.container() + "-" + hub);
        CosmosStore.provision(store);
        return CosmosProvider.builder().config(store).build();
    }

    @AfterAll
    static void stop() {
        toOpen.shutdownNow();
        toGuarded.shutdownNow();
        open.close();
        guarded.close();
        orders.close();
        billing.close();
    }

    private final String name = unique("Order");

    private static HubClient with(ManagedChannel channel, String... headers) {
        Metadata metadata = new Metadata();
        for (int i = 0; i < headers.length; i += 2) {
            metadata.put(Metadata.Key.of(headers[i], Metadata.ASCII_STRING_MARSHALLER), headers[i + 1]);
        }
        return new HubClient(ClientInterceptors.intercept(channel, new Headers(metadata)));
    }

    private static HubClient bearing(String token) {
        return with(toGuarded, "taskhub", "orders", "authorization", "Bearer " + token);
    }

    private record Headers(Metadata metadata) implements ClientInterceptor {
        @Override
        public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
            return new ForwardingClientCall.SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void start(Listener<R> listener, Metadata headers) {
                    headers.merge(metadata);
                    super.start(listener, headers);
                }
            };
        }
    }

    private static void work(HubClient client) {
        var unused = client.stub()
                .getWorkItems(GetWorkItemsRequest.getDefaultInstance())
                .hasNext();
    }

    @Test
    void the_header_chooses_the_task_hub() {
        String instance = with(toOpen, "taskhub", "orders").start(name, "1");

        assertThat(with(toOpen, "taskhub", "orders").get(instance).getExists()).isTrue();
        assertThat(with(toOpen, "taskhub", "billing").get(instance).getExists()).isFalse();
    }

    @Test
    void the_same_id_may_be_in_each_task_hub() {
        String instance = unique("i");

        with(toOpen, "taskhub", "orders").start(request(name).setInstanceId(instance));

        assertThat(with(toOpen, "taskhub", "billing").start(request(name).setInstanceId(instance)))
                .isEqualTo(instance);
    }

    @Test
    void an_unknown_task_hub_is_not_found() {
        assertRefused(Code.NOT_FOUND, () -> with(toOpen, "taskhub", "lost").start(name, "1"), "taskhub", "'lost'");
        assertRefused(Code.NOT_FOUND, () -> work(with(toOpen, "taskhub", "lost")), "taskhub");
    }

    @Test
    void with_several_task_hubs_the_header_must_name_one() {
        assertRefused(Code.INVALID_ARGUMENT, () -> with(toOpen).start(name, "1"), "taskhub", "2 task hubs");
        assertRefused(Code.INVALID_ARGUMENT, () -> with(toOpen, "taskhub", "").start(name, "1"), "taskhub");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bearer ", "Bearer unknown-token-012345", "Basic client-token-0123456789"})
    void without_a_token_that_is_good_nothing_is_allowed(String authorization) {
        HubClient client = with(toGuarded, "taskhub", "orders", "authorization", authorization);

        assertRefused(Code.UNAUTHENTICATED, () -> client.start(name, "1"), "authorization");
        assertRefused(Code.UNAUTHENTICATED, () -> work(client));
        assertRefused(Code.UNAUTHENTICATED, () -> client.stub().hello(Empty.getDefaultInstance()));
        assertRefused(
                Code.UNAUTHENTICATED,
                () -> with(toGuarded, "authorization", authorization).start(name, "1"));
        assertRefused(Code.UNAUTHENTICATED, () -> with(toGuarded).start(name, "1"));
    }

    @Test
    void the_word_bearer_is_written_as_one_likes() {
        assertThat(with(toGuarded, "taskhub", "orders", "authorization", "bEaReR client-token-0123456789")
                        .start(name, "1"))
                .isNotEmpty();
    }

    @Test
    void a_client_s_token_starts_and_asks_and_does_not_work() {
        HubClient client = bearing("client-token-0123456789");
        String instance = client.start(name, "1");
        client.raise(instance, "go", "1");

        assertThat(client.get(instance).getExists()).isTrue();
        assertThat(client.history(instance)).isEmpty();
        assertThat(client.stub().hello(Empty.getDefaultInstance())).isNotNull();
        assertRefused(Code.PERMISSION_DENIED, () -> work(client), "GetWorkItems", "orders");
        assertRefused(Code.PERMISSION_DENIED, () -> client.stub().completeOrchestratorTask(answer()));
        assertRefused(
                Code.PERMISSION_DENIED, () -> client.stub().deleteTaskHub(DeleteTaskHubRequest.getDefaultInstance()));
    }

    @Test
    void a_worker_s_token_works_and_does_not_start() {
        HubClient worker = bearing("worker-token-0123456789");

        assertRefused(Code.PERMISSION_DENIED, () -> worker.start(name, "1"), "StartInstance");
        assertRefused(Code.PERMISSION_DENIED, () -> worker.get("i"));
        assertRefused(
                Code.NOT_FOUND,
                () -> worker.stub()
                        .streamInstanceHistory(StreamInstanceHistoryRequest.newBuilder()
                                .setInstanceId("nobody")
                                .build())
                        .hasNext());
        assertRefused(
                Code.INVALID_ARGUMENT,
                () -> worker.stub()
                        .completeOrchestratorTask(answer().toBuilder()
                                .setCompletionToken("garbage")
                                .build()));
    }

    @Test
    void an_administrator_s_token_empties_where_the_host_allows_it_and_does_nothing_else() {
        HubClient admin = bearing("admin-token-01234567890");

        assertRefused(Code.PERMISSION_DENIED, () -> admin.start(name, "1"));
        assertRefused(Code.PERMISSION_DENIED, () -> work(admin));
        assertRefused(
                Code.PERMISSION_DENIED,
                () -> admin.stub().deleteTaskHub(DeleteTaskHubRequest.getDefaultInstance()),
                "this host deletes no task hub");
    }

    @Test
    void a_token_of_one_task_hub_opens_no_other() {
        String bearer = "Bearer orders-token-0123456789";

        assertThat(with(toGuarded, "taskhub", "orders", "authorization", bearer).start(name, "1"))
                .isNotEmpty();
        assertRefused(
                Code.PERMISSION_DENIED,
                () -> with(toGuarded, "taskhub", "billing", "authorization", bearer)
                        .start(name, "1"),
                "billing");
        assertRefused(
                Code.PERMISSION_DENIED,
                () -> with(toGuarded, "taskhub", "lost", "authorization", bearer)
                        .start(name, "1"));
    }

    @Test
    void health_needs_no_token() {
        assertThat(HealthGrpc.newBlockingStub(toGuarded)
                        .check(HealthCheckRequest.getDefaultInstance())
                        .getStatus())
                .isEqualTo(ServingStatus.SERVING);
    }
}
