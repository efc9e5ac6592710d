package io.sluice.emulator;

import static io.sluice.emulator.Clients.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.models.CosmosContainerProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.emulator.http.SelfSignedCertificate;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The emulator as a program: its arguments, TLS, health and page. */
@Order(1)
class ProgramIT {
    private static final String DATE = "Thu, 01 Jan 2026 00:00:00 GMT";
    private static final String PASSWORD = "not a secret";

    @TempDir
    Path folder;

    @Test
    void its_arguments_set_it_up() {
        var data = folder.resolve("data");
        try (var emulator = Main.start(
                        "--port",
                        "0",
                        "--data-dir",
                        data.toString(),
                        "--partitions",
                        "2",
                        "--region",
                        "North",
                        "--region",
                        "South");
                var client = Clients.builder(emulator).buildClient()) {
            client.createDatabase("db");
            Clients.container(client.getDatabase("db"), new CosmosContainerProperties("things", "/pk"));

            assertThat(emulator.partitions().of("db", "things")).hasSize(2);
            assertThat(emulator.topology().regions()).containsExactly("North", "South");
            assertThat(data).isNotEmptyDirectory();
        }
    }

    @Test
    void it_prints_the_address_that_it_listens_on() {
        try (var open = Main.start("--port", "0", "--listen", "0.0.0.0");
                var local = Main.start("--port", "0")) {
            assertThat(Main.listening(open))
                    .singleElement()
                    .asString()
                    .matches("Emulator listens at http://0\\.0\\.0\\.0:\\d+/");
            assertThat(Main.listening(local)).containsExactly("Emulator listens at " + local.endpoint());
        }
    }

    @Test
    void with_fsync_it_forces_what_it_was_sent_to_the_disk() throws Exception {
        assertThat(forcesOfOneWrite("--data-dir", folder.resolve("left").toString()))
                .isEmpty();
        assertThat(forcesOfOneWrite("--data-dir", folder.resolve("forced").toString(), "--fsync"))
                .isNotEmpty();
    }

    /** The files whose contents the program forces to the disk for a write, as the JVM tells them. */
    private List<String> forcesOfOneWrite(String... arguments) throws Exception {
        var events = folder.resolve("forces.jfr");
        var port = Stream.of("--port", "0");
        try (var emulator = Main.start(Stream.concat(port, Stream.of(arguments)).toArray(String[]::new));
                var client = Clients.builder(emulator).buildClient();
                var recording = new Recording()) {
            client.createDatabase("db");
            var things = Clients.container(client.getDatabase("db"), new CosmosContainerProperties("things", "/pk"));
            recording.enable("jdk.FileForce").withThreshold(Duration.ZERO);
            recording.start();

            things.createItem(item("key", "1"));

            recording.stop();
            recording.dump(events);
        }
        return RecordingFile.readAllEvents(events).stream()
                .map(event -> event.getString("path"))
                .filter(path -> path.endsWith(".journal"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--nonsense",
                "--port 0 --fsync",
                "--port",
                "--port many",
                "--port 70000",
                "--listen",
                "--partitions 0",
                "--throughput -1",
                "--key not-base-64!",
                "--cert a.pem",
                "--port 0 --cert-out c.pem"
            })
    void arguments_that_are_none_are_named(String args) {
        assertThatThrownBy(() -> Main.start(args.split(" ")))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .isNotEmpty();
    }

    @Test
    void beyond_loopback_the_account_names_the_host_by_which_a_client_came() throws Exception {
        try (var emulator = Main.start("--listen", "0.0.0.0", "--port", "0")) {
            assertThat(toldTo(emulator, "cosmos:18081")).isEqualTo("http://cosmos:18081/");
            assertThat(toldTo(emulator, "bad host")).isEqualTo(emulator.endpoint());
        }
        try (var emulator =
                Main.start("--listen", "0.0.0.0", "--port", "0", "--region", "North", "--region", "South")) {
            var north = URI.create(emulator.topology().endpoint("North"));
            assertThat(toldTo(emulator, "cosmos:18081")).isEqualTo("http://cosmos:" + north.getPort() + "/");
        }
        try (var emulator = Main.start("--port", "0")) {
            assertThat(toldTo(emulator, "cosmos:18081")).isEqualTo(emulator.endpoint());
        }
    }

    @Test
    void beyond_loopback_what_needs_no_key_is_still_served_to_this_machine_only() throws Exception {
        try (var emulator = Main.start("--listen", "0.0.0.0", "--port", "0");
                var connection = new RawConnection(URI.create(emulator.endpoint()))) {
            var request =
                    RawRequest.of("GET", "_emulator/dbs", Map.of(), "").bytes(emulator.key(), "cosmos:8081", DATE);

            assertThat(connection.send(request))
                    .satisfies(answer -> assertThat(answer.status()).isEqualTo(403));
        }
    }

    /** The endpoint of the first region as the account tells it to a client who came to this host. */
    private static String toldTo(CosmosEmulator emulator, String host) throws Exception {
        try (var connection = new RawConnection(URI.create(emulator.endpoint()))) {
            var answer = connection.send(RawRequest.of("GET", "", Map.of(), "").bytes(emulator.key(), host, DATE));
            return new ObjectMapper()
                    .readTree(Objects.requireNonNull(answer).text())
                    .at("/writableLocations/0/databaseAccountEndpoint")
                    .asText();
        }
    }

    @Test
    void its_health_can_be_asked_by_the_program_itself() throws Exception {
        String former;
        try (var emulator = Main.start("--port", "0")) {
            former = emulator.endpoint();
            assertThat(Main.checkHealth(former)).isTrue();
        }
        assertThat(Main.checkHealth(former)).isFalse();
        assertThat(Main.checkHealth("no url")).isFalse();
    }

    @Test
    void it_says_that_it_is_up() throws Exception {
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory())) {
            var answer = HttpClient.newHttpClient().send(get(emulator.endpoint() + "health"), BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).contains("\"status\":\"up\"");
        }
    }

    @Test
    void it_speaks_tls_with_a_certificate_a_client_can_trust() throws Exception {
        var pem = folder.resolve("certificate.pem");
        try (var emulator = Main.start("--port", "0", "--tls", "--cert-out", pem.toString())) {
            assertThat(emulator.endpoint()).startsWith("https://");
            var trusting = HttpClient.newBuilder()
                    .sslContext(trusting(Files.readString(pem)))
                    .build();

            var answer = trusting.send(get(emulator.endpoint() + "health"), BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThatThrownBy(() -> HttpClient.newHttpClient()
                            .send(get(emulator.endpoint() + "health"), BodyHandlers.ofString()))
                    .isInstanceOf(SSLHandshakeException.class);
        }
    }

    /** In a process of its own: a client reads the trust store once in the life of its JVM. */
    @Test
    void the_java_sdk_writes_reads_and_queries_over_tls() throws Exception {
        var pem = folder.resolve("certificate.pem");
        var trust = folder.resolve("trust.p12");
        try (var emulator = Main.start("--port", "0", "--tls", "--cert-out", pem.toString())) {
            try (var out = Files.newOutputStream(trust)) {
                trustStore(Files.readString(pem)).store(out, PASSWORD.toCharArray());
            }

            assertThat(tlsClient(emulator, trust)).contains("read 1, queried [1, 2]");
        }
    }

    @Test
    void it_takes_a_certificate_of_ones_own() throws Exception {
        var own = SelfSignedCertificate.create(Instant.now());
        var chain = Files.writeString(folder.resolve("chain.pem"), own.chainPem());
        var key = Files.writeString(folder.resolve("key.pem"), own.keyPem());
        try (var emulator = Main.start("--port", "0", "--cert", chain.toString(), "--cert-key", key.toString())) {
            var trusting =
                    HttpClient.newBuilder().sslContext(trusting(own.chainPem())).build();

            assertThat(trusting.send(get(emulator.endpoint() + "health"), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void a_browser_is_shown_a_page_and_a_client_the_account() throws Exception {
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory())) {
            var http = HttpClient.newHttpClient();
            var page = http.send(
                    HttpRequest.newBuilder(URI.create(emulator.endpoint()))
                            .header("Accept", "text/html,*/*")
                            .build(),
                    BodyHandlers.ofString());
            var script = http.send(get(emulator.endpoint() + "_emulator/explorer.js"), BodyHandlers.ofString());

            assertThat(page.headers().firstValue("content-type")).hasValue("text/html; charset=utf-8");
            assertThat(page.body()).contains("<title>Sluice Cosmos emulator</title>");
            assertThat(script.headers().firstValue("content-type")).hasValue("text/javascript; charset=utf-8");
            assertThat(http.send(get(emulator.endpoint()), BodyHandlers.ofString())
                            .statusCode())
                    .as("no key, no account")
                    .isEqualTo(401);
        }
    }

    @Test
    void pages_are_for_this_machine_only_but_probes_for_all() throws Exception {
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory())) {
            assertThat(underForeignName(emulator, "/_emulator/dbs"))
                    .startsWith("HTTP/1.1 403")
                    .doesNotContain("databases");
            assertThat(underForeignName(emulator, "/")).startsWith("HTTP/1.1 401");
            assertThat(underForeignName(emulator, "/health")).startsWith("HTTP/1.1 200");
        }
    }

    private static String underForeignName(CosmosEmulator emulator, String path) throws Exception {
        try (var socket = new Socket(
                InetAddress.getLoopbackAddress(),
                URI.create(emulator.endpoint()).getPort())) {
            var request = "GET " + path + " HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void further_regions_listen_on_the_ports_after_the_first() {
        int port = twoFreePorts();
        try (var emulator = Main.start("--port", "" + port, "--region", "North", "--region", "South")) {
            assertThat(URI.create(emulator.topology().endpoint("South")).getPort())
                    .isEqualTo(port + 1);
        }
    }

    /** The first of two neighbours below the ports that the system gives to connections. */
    private static int twoFreePorts() {
        return new Random()
                .ints(20_000, 30_000)
                .filter(port -> isFree(port) && isFree(port + 1))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    /** What {@link TlsClient} says. */
    private static String tlsClient(CosmosEmulator emulator, Path trust) throws Exception {
        var client = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djavax.net.ssl.trustStore=" + trust,
                        "-Djavax.net.ssl.trustStorePassword=" + PASSWORD,
                        "-cp",
                        System.getProperty("java.class.path"),
                        TlsClient.class.getName(),
                        emulator.endpoint(),
                        emulator.key())
                .redirectErrorStream(true)
                .start();
        try (var output = client.getInputStream()) {
            return new String(output.readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            client.destroyForcibly();
        }
    }

    private static HttpRequest get(String uri) {
        return HttpRequest.newBuilder(URI.create(uri)).build();
    }

    private static SSLContext trusting(String pem) throws Exception {
        var store = trustStore(pem);
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static KeyStore trustStore(String pem) throws Exception {
        var certificate = CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("emulator", certificate);
        return store;
    }
}
