package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.Refusals.assertRefused;
import static io.sluice.durabletask.turn.Answers.completed;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.sluice.durabletask.access.Grant;
import io.sluice.durabletask.access.Right;
import io.sluice.durabletask.access.TokenCheck;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.worker.WorkKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls that last longer than the token that they came with. */
class EndingTokensIT {
    private static final String LASTING = "lasting";
    private static final String ENDING = "ending";

    @RegisterExtension
    static final HostFixture fixture = HostFixture.usual();

    private final String name = unique("Order");
    private final Deque<ManagedChannel> channels = new ArrayDeque<>();
    private volatile boolean hasEnded;
    private OpenHost host;

    /** A token that has an end is judged again then. */
    private final TokenCheck tokens = token -> token.equals(ENDING) && hasEnded
            ? Optional.empty()
            : Optional.of(new Grant(EnumSet.allOf(Right.class), null, token.equals(ENDING) ? Instant.now() : null));

    @BeforeEach
    void start() {
        host = fixture.another(fixture.config().withTokens(tokens));
    }

    @AfterEach
    void closeChannels() {
        channels.forEach(ManagedChannel::shutdownNow);
    }

    private ManagedChannel channel(String token) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        ManagedChannel channel = NettyChannelBuilder.forAddress(
                        "127.0.0.1", host.host().port())
                .usePlaintext()
                .intercept(MetadataUtils.newAttachHeadersInterceptor(headers))
                .build();
        channels.push(channel);
        return channel;
    }

    @Test
    void a_worker_s_stream_ends_with_its_token_and_another_worker_gets_what_it_had() throws Exception {
        HubClient client = new HubClient(channel(LASTING));
        ScriptedWorker ending = new ScriptedWorker(channel(ENDING)).takes(name).connect();
        ScriptedWorker lasting = new ScriptedWorker(channel(LASTING)).takes(name);
        String instance = client.start(name, "1");
        WorkItem unused = ending.turn(instance);

        hasEnded = true;

        Status status = ending.ended().get(ScriptedWorker.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(status.getCode()).isEqualTo(Code.UNAUTHENTICATED);
        assertThat(status.getDescription()).contains("token").contains("has ended");
        lasting.connect();
        lasting.complete(lasting.turn(instance), completed(0, "1"));
        assertThat(client.awaitEnd(instance).getOrchestrationStatus())
                .isEqualTo(OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED);
        assertThat(host.hub().workers().count()).isEqualTo(1);
        assertThat(host.hub().workers().inHand(WorkKind.TURN)).isZero();
    }

    @Test
    void a_wait_ends_with_its_token() {
        String instance = new HubClient(channel(LASTING)).start(name, "1");
        HubClient client = new HubClient(channel(ENDING));
        CompletableFuture<Void> wait = CompletableFuture.runAsync(
                () -> assertRefused(Code.UNAUTHENTICATED, () -> client.awaitEnd(instance), "token"));
        Awaitility.await()
                .untilAsserted(() -> assertThat(host.hub().waits().count()).isEqualTo(1));

        hasEnded = true;

        assertThat(wait).succeedsWithin(ScriptedWorker.PATIENCE);
        assertThat(host.hub().waits().count()).isZero();
    }

    @Test
    void a_token_that_stays_good_ends_nothing() throws Exception {
        ScriptedWorker worker = new ScriptedWorker(channel(ENDING)).takes(name).connect();
        HubClient client = new HubClient(channel(ENDING));

        for (int i = 0; i < 3; i++) {
            String instance = client.start(name, "1");
            WorkItem turn = worker.turn(instance);
            CompletableFuture<OrchestrationStatus> wait = CompletableFuture.supplyAsync(
                    () -> client.awaitEnd(instance).getOrchestrationStatus());
            // Longer than it takes to judge the token again.
            assertThat(worker.turn(instance, Duration.ofMillis(1_500))).isEmpty();
            worker.complete(turn, completed(0, "1"));

            assertThat(wait.get(ScriptedWorker.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo(OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED);
        }
        assertThat(worker.ended()).isNotDone();
    }
}
