package io.sluice.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.relay.config.RelayConfig;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.fuzz.Fuzz;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests with damage anywhere, to the port for operators of a replica with everything switched on: each is answered
 * in time, as documented, and the replica goes on.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OpsFuzzIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ANSWER_MILLIS = 20_000;
    private static final Set<Integer> STATUSES =
            Set.of(200, 202, 400, 401, 403, 404, 405, 409, 413, 414, 421, 431, 503);
    private static final String RIGHT = "Authorization: Bearer " + OpsClient.TOKEN + "\n";
    private static final List<String> REQUESTS = List.of(
            "GET /health/live HTTP/1.1\nHost: localhost\nAccept: */*\n",
            "GET /status HTTP/1.1\nHost: localhost\nIf-None-Match: \"x\"\n",
            "GET /instances?status=running&orchestration=Order&limit=10&after=order-1 HTTP/1.1\nHost: localhost\n",
            "GET /instances/a%2Fb%3Ac%20%C3%A4?local=true HTTP/1.1\nHost: localhost\nCookie: a=b\n",
            "GET /statistics?from=2026-01-31T12:00:00Z&to=2026-02-01T12:00:00.123Z&orchestration=Order HTTP/1.1\nHost: x\n",
            "GET /statistics?from=-1000000000-01-01T00:00:00Z&to=%2B1000000000-12-31T23:59:59Z HTTP/1.1\nHost: x\n",
            "GET /dead-letters?limit=5&source=parent HTTP/1.1\nHost: localhost\nRange: bytes=0-1\n",
            "GET /dead-letters/outbox%3Aparent%3A1%3A0 HTTP/1.1\nHost: localhost\n",
            "POST /dead-letters/outbox%3Aparent%3A1%3A0/retry HTTP/1.1\nHost: localhost\n" + RIGHT
                    + "Content-Length: 0\n",
            "POST /dead-letters/retry?source=a+b HTTP/1.1\nHost: localhost\n" + RIGHT + "Transfer-Encoding: chunked\n",
            "POST /pause/history HTTP/1.1\nHost: localhost\nAuthorization: Bearer wrong-0123456789\n",
            "POST /resume/all HTTP/1.1\nHost: localhost\n" + RIGHT + "Expect: 100-continue\n");

    @TempDir
    Path state;

    private int cutOff;

    @Test
    void a_damaged_request_is_answered_as_documented() {
        try (var store = TestStore.provisioned(cosmos);
                var relay = OutboxRelay.builder().config(config(store)).build()) {
            relay.start();
            var ops = new OpsClient(relay.opsPort());
            await().atMost(PATIENCE).until(() -> ops.get("/statistics").status() == 200);

            var counts = Fuzz.of("requests to the port for operators", REQUESTS)
                    .runs(600, 20)
                    .read(text -> judge(text, answer(relay.opsPort(), text)));

            assertThat(cutOff).as("cut off, of %s", counts).isLessThan(counts.read() / 10);
            assertThat(ops.post("/resume/all").status()).isEqualTo(200);
            await().atMost(PATIENCE).until(() -> ops.get("/health/ready").status() == 200);
        }
    }

    private RelayConfig config(TestStore store) {
        return TestConfig.of(store, kafka)
                .withStreams(new RelayConfig.Streams(true, state, 1, 0, "", Duration.ofMinutes(1), Duration.ofHours(1)))
                .withOperations(TestConfig.operations(10));
    }

    /** All that comes back until the connection ends; nothing when it is cut off. */
    private static String answer(int port, String text) throws IOException {
        var request = text.stripTrailing().replace("\n", "\r\n") + "\r\nConnection: close\r\n\r\n";
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write(request.getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        } catch (SocketException cut) {
            return "";
        }
    }

    private void judge(String text, String answer) {
        if (answer.isEmpty()) {
            cutOff++;
        } else {
            int status = Integer.parseInt(answer.split(" ", 3)[1]);
            assertThat(status == 100 || STATUSES.contains(status)).as(answer).isTrue();
            assertThat(answer).doesNotContain("\tat ", "java.lang", "java.util", "Exception");
            assertThat(answer.contains(OpsClient.TOKEN) && !text.contains(OpsClient.TOKEN))
                    .as("tells the token")
                    .isFalse();
        }
    }
}
