package io.sluice.program.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Clients that ask for much and do not read it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SlowClientIT {
    private static final int LARGE = 20_000_000;
    private static final int SMALL_BUFFER = 4_096;

    private final HttpClient client = HttpClient.newHttpClient();
    private final OpsServer server = new OpsServer(
            new OpsPort("127.0.0.1", 0, null),
            List.of(
                    Endpoint.probe("/health/live", call -> Answer.text("text/plain", "well")),
                    Endpoint.get("/large", call -> Answer.text("text/plain", "x".repeat(LARGE)))),
            new AnswerSender.Limits(Duration.ofSeconds(2), 1_000_000));

    @BeforeEach
    void start() {
        server.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpResponse<String> get(String path) throws Exception {
        var at = URI.create("http://127.0.0.1:" + server.port() + path);
        return client.send(HttpRequest.newBuilder(at).build(), BodyHandlers.ofString());
    }

    private Socket clientThatDoesNotRead() throws IOException {
        var socket = new Socket();
        socket.setReceiveBufferSize(SMALL_BUFFER);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        socket.getOutputStream()
                .write("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        // The answer has begun.
        assertThat(socket.getInputStream().read()).isEqualTo('H');
        return socket;
    }

    @Test
    void a_large_answer_comes_whole() throws Exception {
        var answer = get("/large");

        assertThat(answer.body()).hasSize(LARGE);
        assertThat(answer.headers().firstValueAsLong("Content-Length")).hasValue(LARGE);
    }

    @Test
    void a_client_that_does_not_read_holds_memory_within_a_limit_and_for_a_time() throws Exception {
        try (var slow = clientThatDoesNotRead()) {
            var refused = get("/large");

            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("try again later");
            assertThat(get("/health/live").body()).isEqualTo("well");
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(get("/large").statusCode()).isEqualTo(200));
            assertThat(readable(slow)).as("its connection was closed").isLessThan(LARGE);
        }
    }

    private static long readable(Socket socket) {
        long read = 0;
        var buffer = new byte[65_536];
        try {
            for (int n = socket.getInputStream().read(buffer);
                    n > 0;
                    n = socket.getInputStream().read(buffer)) {
                read += n;
            }
        } catch (IOException e) {
            assertThat(e).as("or was reset").isNotNull();
        }
        return read;
    }
}
