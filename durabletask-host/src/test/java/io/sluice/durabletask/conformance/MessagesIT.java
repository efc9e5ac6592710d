package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.sluice.durabletask.grpc.MessageLimits;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc.TaskHubSidecarServiceBlockingStub;
import io.sluice.durabletask.wire.Wire;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How large messages are that calls bring, one by one and together, compressed or not. */
class MessagesIT {
    private static final int MEGABYTE = 1 << 20;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration NEVER = Duration.ofHours(1);

    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private OpenHost with(MessageLimits limits) {
        return host.another(host.config().withMessages(limits));
    }

    /** A message that has this many bytes, and compressed a thousandth of them. */
    private static Empty padded(int bytes) {
        return Empty.newBuilder()
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                1,
                                UnknownFieldSet.Field.newBuilder()
                                        .addLengthDelimited(ByteString.copyFrom(new byte[bytes]))
                                        .build())
                        .build())
                .build();
    }

    private static TaskHubSidecarServiceBlockingStub compressing(OpenHost open) {
        return open.client().stub().withCompression("gzip");
    }

    /** Calls Hello and sends the message, but does not end the call. The answer is how it has ended. */
    private static CompletableFuture<Status> leaveOpen(OpenHost open, Empty message) {
        ClientCall<Empty, Empty> call = open.client()
                .channel()
                .newCall(TaskHubSidecarServiceGrpc.getHelloMethod(), CallOptions.DEFAULT.withCompression("gzip"));
        CompletableFuture<Status> end = new CompletableFuture<>();
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        end.complete(status);
                    }
                },
                new Metadata());
        call.request(1);
        call.sendMessage(message);
        var unused = end.whenComplete((status, failure) -> call.cancel("the test has seen enough", failure));
        return end;
    }

    @Test
    void a_message_above_the_limit_is_refused_by_its_size() {
        OpenHost small = with(MessageLimits.of(MEGABYTE, 2 * MEGABYTE));

        Refusals.assertRefused(
                Code.RESOURCE_EXHAUSTED,
                () -> small.client().start(unique("Order"), "x".repeat(1_200_000)),
                "StartInstance",
                "1048576");
    }

    @Test
    void a_message_above_the_limit_once_it_is_decompressed_is_refused_too() {
        OpenHost open = host.host();

        assertThatCode(() -> compressing(open).hello(padded(7 * MEGABYTE))).doesNotThrowAnyException();
        Refusals.assertRefused(
                Code.RESOURCE_EXHAUSTED, () -> compressing(open).hello(padded(9 * MEGABYTE)), "Hello", "8388608");
    }

    @Test
    void services_that_need_no_token_take_small_messages_only() {
        HealthCheckRequest large =
                HealthCheckRequest.newBuilder().setService("x".repeat(100_000)).build();

        Refusals.assertRefused(
                Code.RESOURCE_EXHAUSTED,
                () -> HealthGrpc.newBlockingStub(host.client().channel())
                        .withCompression("gzip")
                        .check(large),
                "Check",
                "65536");
    }

    @Test
    void a_workers_answer_may_be_larger_than_a_clients_message() {
        String name = unique("Order");
        ScriptedWorker worker = host.worker().takes(name).connect();
        String instance = host.client().start(name, "1");
        WorkItem turn = worker.turn(instance);
        OrchestratorAction[] events = IntStream.range(0, 9)
                .mapToObj(i -> send(i, "nobody", "n", "x".repeat(MEGABYTE)))
                .toArray(OrchestratorAction[]::new);

        var unused = worker.stub()
                .withCompression("gzip")
                .completeOrchestratorTask(ScriptedWorker.answerTo(
                        turn,
                        answer(events).toBuilder()
                                .addActions(completed(9, "42"))
                                .build()));

        assertThat(host.client().awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void messages_have_a_limit_together_until_they_are_answered() {
        OpenHost small = with(new MessageLimits(MEGABYTE, MEGABYTE, 3 * MEGABYTE / 2, NEVER));
        CompletableFuture<Status> first = leaveOpen(small, padded(900_000));

        await().atMost(PATIENCE)
                .untilAsserted(() -> Refusals.assertRefused(
                        Code.RESOURCE_EXHAUSTED, () -> compressing(small).hello(padded(900_000)), "1572864"));
        Refusals.assertRefused(
                Code.RESOURCE_EXHAUSTED, () -> small.client().stub().hello(padded(900_000)), "1572864");
        assertThatCode(() -> compressing(small).hello(padded(50_000)))
                .as("small messages need no room")
                .doesNotThrowAnyException();
        assertThatCode(() -> small.client().stub().hello(padded(400_000)))
                .as("a message that has room is taken")
                .doesNotThrowAnyException();

        first.complete(Status.CANCELLED);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThatCode(() -> compressing(small).hello(padded(900_000)))
                        .doesNotThrowAnyException());
    }

    @Test
    void room_comes_back_after_every_call_however_it_ends() {
        OpenHost small = with(new MessageLimits(MEGABYTE, MEGABYTE, MEGABYTE, NEVER));

        for (int i = 0; i < 3; i++) {
            var unused = compressing(small).hello(padded(900_000));
            unused = small.client().stub().hello(padded(900_000));
            Refusals.assertRefused(
                    Code.RESOURCE_EXHAUSTED, () -> compressing(small).hello(padded(2 * MEGABYTE)), "1048576");
            Refusals.assertRefused(
                    Code.INVALID_ARGUMENT,
                    () -> small.client()
                            .start(HubClient.request("o")
                                    .setInstanceId("a/b")
                                    .setInput(Wire.text("x".repeat(900_000)))));
        }
    }

    @Test
    void a_call_that_brings_a_large_message_and_does_not_end_is_ended() {
        OpenHost small = with(new MessageLimits(MEGABYTE, MEGABYTE, MEGABYTE, Duration.ofMillis(100)));

        assertThat(leaveOpen(small, padded(900_000)))
                .succeedsWithin(PATIENCE)
                .extracting(Status::getCode)
                .isEqualTo(Code.DEADLINE_EXCEEDED);
        assertThatCode(() -> compressing(small).hello(padded(900_000))).doesNotThrowAnyException();
    }
}
