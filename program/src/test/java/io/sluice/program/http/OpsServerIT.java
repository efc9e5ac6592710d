package io.sluice.program.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.program.PrerequisiteException;
import io.sluice.provider.ProviderException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OpsServerIT {
    private static final String TOKEN = "0123456789abcdef";
    private static final List<Endpoint> ENDPOINTS = List.of(
            Endpoint.get("/", call -> Answer.text("text/plain", "root")),
            Endpoint.get("/things/{id}", call -> Answer.json(200, Map.of("id", call.segment("id")))),
            Endpoint.get("/things/first", Set.of("x"), call -> Answer.json(200, Map.of("exact", call.query()))),
            Endpoint.post("/things/{id}/drop", call -> Answer.json(200, Map.of("dropped", call.segment("id")))),
            Endpoint.get("/fails/{how}", call -> {
                throw failure(call.segment("how"));
            }));

    private static RuntimeException failure(String how) {
        return switch (how) {
            case "argument" -> new IllegalArgumentException("limit must be 1");
            case "passing" -> ProviderException.retryable("op", "away", null);
            case "for-good" -> ProviderException.permanent("op", "no");
            default -> new IllegalStateException("broken");
        };
    }

    private final HttpClient client = HttpClient.newHttpClient();
    private OpsServer server = server();

    private static OpsServer server() {
        var server = new OpsServer(new OpsPort("127.0.0.1", 0, TOKEN), ENDPOINTS);
        server.start();
        return server;
    }

    @AfterEach
    void close() {
        server.close();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @ParameterizedTest
    @CsvSource({
        "/, root",
        "/things/a%2Fb%3Ac%20%C3%A4, '{\"id\":\"a/b:c ä\"}'",
        "/things/first?x=1&x=2, '{\"exact\":{\"x\":\"2\"}}'",
        "/things/first?x=, '{\"exact\":{}}'"
    })
    void paths_are_taken_apart_before_they_are_decoded(String path, String body) throws Exception {
        assertThat(send(request(path)).body()).isEqualTo(body);
    }

    @Test
    void a_head_is_answered_as_a_get_is_without_its_body() throws Exception {
        var get = send(request("/things/a"));
        var head = send(request("/things/a").method("HEAD", HttpRequest.BodyPublishers.noBody()));
        var refused = send(request("/things/a/drop").method("HEAD", HttpRequest.BodyPublishers.noBody()));

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.headers().firstValue("Content-Length"))
                .isEqualTo(get.headers().firstValue("Content-Length"));
        assertThat(refused.statusCode()).isEqualTo(405);
    }

    @Test
    void a_port_that_only_shows_something_needs_no_token() {
        var shows = new OpsServer(
                new OpsPort("0.0.0.0", 0, null), List.of(Endpoint.get("/", call -> Answer.text("text/plain", "root"))));
        try (shows) {
            shows.start();

            assertThat(shows.port()).isPositive();
        }
    }

    @Test
    void a_parameter_that_a_path_does_not_know_is_refused_by_name() throws Exception {
        var answer = send(request("/things/first?limt=1"));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("limt").contains("takes x");
        assertThat(send(request("/things/a?x=1")).body()).contains("takes no parameters");
    }

    @Test
    void a_page_that_has_its_own_name_resolve_to_this_machine_reads_nothing() throws Exception {
        assertThat(statusLine("rebound.example.com")).contains("421");
        assertThat(statusLine("rebound.example.com:" + server.port())).contains("421");
        assertThat(statusLine("127.0.0.1:" + server.port())).contains("200");
        assertThat(statusLine("relay-1:8080")).contains("200");
    }

    /** By hand: Java's client names the host that it calls. */
    private String statusLine(String host) throws Exception {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            var request = "GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return answer.lines().findFirst().orElse("");
        }
    }

    @Test
    void a_call_that_changes_something_needs_the_token() throws Exception {
        var right = send(request("/things/a/drop")
                .header("Authorization", new OpsToken(TOKEN).authorization())
                .POST(HttpRequest.BodyPublishers.noBody()));

        assertThat(right.body()).isEqualTo("{\"dropped\":\"a\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "Bearer", "Bearer 0123456789abcdeF", "Bearer 0123456789abcdef0", "Basic 0123456789abcdef"})
    void without_it_or_with_another_it_is_refused(String authorization) throws Exception {
        var request = request("/things/a/drop").POST(HttpRequest.BodyPublishers.noBody());
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }

        var answer = send(request);

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        assertThat(answer.body()).contains("Authorization: Bearer").doesNotContain("0123456789abcdef");
    }

    @Test
    void where_there_is_no_token_nothing_can_be_changed() throws Exception {
        server.close();
        server = new OpsServer(new OpsPort("127.0.0.1", 0, null), ENDPOINTS);
        server.start();

        var answer = send(
                request("/things/a/drop").header("Authorization", "Bearer ").POST(HttpRequest.BodyPublishers.noBody()));

        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).contains("SLUICE_OPS_TOKEN");
    }

    @Test
    void a_port_that_others_can_reach_is_not_opened_without_a_token() {
        var open = new OpsServer(new OpsPort("0.0.0.0", 0, null), ENDPOINTS);

        assertThatThrownBy(open::start)
                .isInstanceOf(PrerequisiteException.class)
                .hasMessageContaining("SLUICE_OPS_TOKEN");
    }

    @Test
    void a_port_that_is_taken_is_named() {
        var second = new OpsServer(new OpsPort("127.0.0.1", server.port(), TOKEN), ENDPOINTS);

        assertThatThrownBy(second::start)
                .isInstanceOf(PrerequisiteException.class)
                .hasMessageContaining("SLUICE_OPS_PORT");
    }

    @ParameterizedTest
    @CsvSource({"/nothing, 404", "/things, 404", "/things/, 200", "/things/a/drop, 405"})
    void what_is_not_there_is_said_as_json(String path, int status) throws Exception {
        var answer = send(request(path));

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    }

    @ParameterizedTest
    @CsvSource({"argument, 400", "passing, 503", "for-good, 409", "otherwise, 500"})
    void failures_become_answers(String how, int status) throws Exception {
        var answer = send(request("/fails/" + how));

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.body()).startsWith("{\"error\":\"");
    }

    @Test
    void bodies_and_endless_paths_are_refused() throws Exception {
        var body = send(request("/things/a/drop")
                .header("Authorization", new OpsToken(TOKEN).authorization())
                .POST(HttpRequest.BodyPublishers.ofString("x".repeat(100_000))));
        var path = send(request("/things/" + "x".repeat(5_000)));

        assertThat(body.statusCode()).isEqualTo(413);
        assertThat(path.statusCode()).isEqualTo(414);
    }

    @Test
    void what_is_in_memory_is_told_while_calls_of_all_other_kinds_wait() throws Exception {
        var begun = new CountDownLatch(4 + 1 + 4);
        var released = new CountDownLatch(1);
        Endpoint.Handler waits = call -> {
            begun.countDown();
            released.await();
            return Answer.text("text/plain", "told");
        };
        restart(Stream.of(
                        List.of(
                                Endpoint.probe("/health/live", call -> Answer.text("text/plain", "well")),
                                Endpoint.get("/status", call -> Answer.text("text/plain", "well")),
                                Endpoint.read("/owners", Set.of(), waits),
                                Endpoint.post("/retry", waits)),
                        Endpoint.shared("/instances", Set.of(), call -> Answer.text("text/plain", "well"), waits))
                .flatMap(List::stream)
                .toList());
        var right = new OpsToken(TOKEN).authorization();
        var waiting = IntStream.range(0, 10)
                .boxed()
                .flatMap(i -> Stream.of(
                        request("/owners"),
                        request("/instances"),
                        request("/retry").header("Authorization", right).POST(HttpRequest.BodyPublishers.noBody())))
                .map(request -> client.sendAsync(request.build(), BodyHandlers.ofString()))
                .toList();
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();

        assertThat(List.of("/health/live", "/status", "/instances?local=true"))
                .allSatisfy(path -> assertThat(send(request(path).timeout(Duration.ofSeconds(5)))
                                .body())
                        .isEqualTo("well"));

        released.countDown();
        assertThat(waiting)
                .allSatisfy(answer ->
                        assertThat(answer.get(60, TimeUnit.SECONDS).body()).isEqualTo("told"));
    }

    private void restart(List<Endpoint> endpoints) {
        server.close();
        server = new OpsServer(new OpsPort("127.0.0.1", 0, TOKEN), endpoints);
        server.start();
    }

    /** Each server asks the other one, as replicas do, with more callers than a server has threads. */
    @Test
    void servers_that_gather_from_each_other_do_not_wait_for_each_other() throws Exception {
        var ports = new int[2];
        var both = IntStream.range(0, 2)
                .mapToObj(own -> new OpsServer(
                        new OpsPort("127.0.0.1", 0, TOKEN),
                        Endpoint.shared(
                                "/parts",
                                Set.of(),
                                call -> Answer.text("text/plain", "part"),
                                call -> Answer.text("text/plain", asked(ports[1 - own])))))
                .toList();
        try (var first = both.get(0);
                var second = both.get(1)) {
            first.start();
            second.start();
            ports[0] = first.port();
            ports[1] = second.port();

            var answers = IntStream.range(0, 60)
                    .mapToObj(i -> HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ports[i % 2] + "/parts"))
                            .build())
                    .map(request -> client.sendAsync(request, BodyHandlers.ofString()))
                    .toList();

            assertThat(answers)
                    .allSatisfy(answer ->
                            assertThat(answer.get(60, TimeUnit.SECONDS).body()).isEqualTo("part"));
        }
    }

    private String asked(int port) throws Exception {
        var part = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/parts?local=true"))
                .timeout(Duration.ofSeconds(3))
                .build();
        return client.send(part, BodyHandlers.ofString()).body();
    }

    @Test
    void equal_reads_of_many_callers_ask_once_and_different_ones_a_limited_number_of_times() throws Exception {
        var asked = new AtomicInteger();
        var atATime = new AtomicInteger();
        restart(List.of(
                Endpoint.post("/change", call -> Answer.json(200, Map.of())),
                Endpoint.read("/letters", Set.of("limit"), call -> {
                    assertThat(atATime.incrementAndGet()).isEqualTo(1);
                    asked.incrementAndGet();
                    atATime.decrementAndGet();
                    return Answer.json(200, call.query());
                })));

        var equal = IntStream.range(0, 200)
                .mapToObj(i -> client.sendAsync(request("/letters?limit=7").build(), BodyHandlers.ofString()))
                .toList();
        assertThat(equal)
                .allSatisfy(answer ->
                        assertThat(answer.get(60, TimeUnit.SECONDS).body()).isEqualTo("{\"limit\":\"7\"}"));
        assertThat(asked).as("200 answers").hasValueBetween(1, 3);

        var different = IntStream.range(100, 300)
                .mapToObj(i -> client.sendAsync(request("/letters?limit=" + i).build(), BodyHandlers.ofString()))
                .map(CompletableFuture::join)
                .toList();
        assertThat(different)
                .filteredOn(answer -> answer.statusCode() == 503)
                .isNotEmpty()
                .allSatisfy(answer ->
                        assertThat(answer.headers().firstValue("Retry-After")).isPresent());
        assertThat(different)
                .filteredOn(answer -> answer.statusCode() == 200)
                .hasSizeBetween(SharedReads.BURST - 3, SharedReads.BURST + 20);

        int before = asked.get();
        var right = new OpsToken(TOKEN).authorization();
        assertThat(send(request("/letters?limit=8").header("Authorization", right))
                        .statusCode())
                .as("who has the token reads all the same")
                .isEqualTo(200);
        send(request("/change").header("Authorization", right).POST(HttpRequest.BodyPublishers.noBody()));
        assertThat(send(request("/letters?limit=8").header("Authorization", right))
                        .statusCode())
                .isEqualTo(200);
        assertThat(asked).as("a change is seen at once").hasValue(before + 2);
    }

    @Test
    void who_keeps_a_connection_is_answered_by_the_one_that_listens_by_now() throws Exception {
        int port = server.port();
        assertThat(send(request("/")).body()).isEqualTo("root");

        server.close();
        server = new OpsServer(
                new OpsPort("127.0.0.1", port, TOKEN),
                List.of(Endpoint.get("/", call -> Answer.text("text/plain", "another"))));
        server.start();

        assertThat(send(request("/")).body()).isEqualTo("another");
    }
}
