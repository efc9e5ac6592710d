package io.sluice.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Objects;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.netty.http.HttpProtocol;

/** HTTP/2, which a client chooses with TLS, and may be allowed without. */
class Http2IT {
    private static CosmosEmulator emulator;
    private static HttpClient client;

    @BeforeAll
    static void open() throws Exception {
        emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withSelfSignedTls());
        client = HttpClient.newBuilder()
                .sslContext(trusting(Objects.requireNonNull(emulator.certificate())))
                .build();
    }

    @AfterAll
    static void close() {
        emulator.close();
    }

    @Test
    void a_client_that_offers_it_gets_it_with_tls() throws Exception {
        var answer = get(emulator, "health", Version.HTTP_2);

        assertThat(answer.version()).isEqualTo(Version.HTTP_2);
        assertThat(answer.statusCode()).isEqualTo(200);
    }

    @Test
    void a_client_that_does_not_gets_what_it_speaks() throws Exception {
        var answer = get(emulator, "health", Version.HTTP_1_1);

        assertThat(answer.version()).isEqualTo(Version.HTTP_1_1);
        assertThat(answer.statusCode()).isEqualTo(200);
    }

    @Test
    void many_requests_of_one_connection_are_answered_at_once() {
        var answers = IntStream.range(0, 200)
                .mapToObj(i -> client.sendAsync(request(emulator, "health", Version.HTTP_2), BodyHandlers.ofString()))
                .toList();

        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.join().statusCode()).isEqualTo(200));
    }

    @Test
    void a_large_body_is_read_and_what_is_over_the_limit_refused() throws Exception {
        assertThat(post("{}".repeat(1_000_000)).statusCode()).isEqualTo(401);
        assertThat(post("x".repeat(20_000_000)).statusCode()).isEqualTo(413);
    }

    @Test
    void a_request_that_loses_its_connection_fails_and_the_next_is_served() throws Exception {
        emulator.faults().dropConnection(request -> request.operation() == RequestKind.ACCOUNT, 1);

        assertThatThrownBy(() -> get(emulator, "", Version.HTTP_2)).isInstanceOf(IOException.class);
        assertThat(get(emulator, "", Version.HTTP_2).statusCode()).isEqualTo(401);
    }

    @Test
    void without_tls_it_is_spoken_when_allowed() throws Exception {
        try (var plain = CosmosEmulator.start(EmulatorConfig.inMemory().withPlainHttp2(true))) {
            assertThat(get(plain, "health", Version.HTTP_2).version()).isEqualTo(Version.HTTP_2);
            assertThat(get(plain, "health", Version.HTTP_1_1).version()).isEqualTo(Version.HTTP_1_1);
            assertThat(statusByPriorKnowledge(plain)).isEqualTo(200);
        }
        try (var plain = CosmosEmulator.start(EmulatorConfig.inMemory())) {
            assertThat(get(plain, "health", Version.HTTP_2).version()).isEqualTo(Version.HTTP_1_1);
        }
    }

    /** Of a client that begins with HTTP/2, without asking. */
    private static Integer statusByPriorKnowledge(CosmosEmulator plain) {
        return reactor.netty.http.client.HttpClient.create()
                .protocol(HttpProtocol.H2C)
                .get()
                .uri(plain.endpoint() + "health")
                .response()
                .map(response -> response.status().code())
                .block();
    }

    private static HttpResponse<String> get(CosmosEmulator asked, String path, Version version) throws Exception {
        return client.send(request(asked, path, version), BodyHandlers.ofString());
    }

    private static HttpRequest request(CosmosEmulator asked, String path, Version version) {
        return HttpRequest.newBuilder(URI.create(asked.endpoint() + path))
                .version(version)
                .build();
    }

    private static HttpResponse<String> post(String body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(emulator.endpoint() + "dbs"))
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private static SSLContext trusting(String pem) throws Exception {
        var certificate = CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("emulator", certificate);
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
