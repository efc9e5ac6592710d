package io.sluice.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests that are wrong in ways drawn from a seed. Each is answered 2xx or 4xx, the latter with code and message in
 * the service's form, and never shows what happened inside; broken HTTP may lose its connection. {@code -Dfuzz.runs}
 * asks a {@value #SHARE}th of them of each kind, for a socket is slow; {@code -Dfuzz.seed} asks others. A thorough run
 * asks ten times as many as the first tier.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BadInputFuzzIT {
    private static final int SHARE = 20;
    private static final boolean THOROUGH = Boolean.getBoolean("sluice.thorough");
    private static final int CASES = Math.max(1, Integer.getInteger("fuzz.runs", THOROUGH ? 12_000 : 2_400) / SHARE);
    private static final long SEED = Long.getLong("fuzz.seed", 1);
    private static final int SEEDS = THOROUGH ? 2 : 1;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    static final RunningEmulator EMULATOR =
            new RunningEmulator(EmulatorConfig.inMemory().withContinuousBackup(true));

    private static BadRequests requests;

    @BeforeAll
    static void makeContainer() {
        var container = EMULATOR.container();
        for (int n = 0; n < 5; n++) {
            container.createItem(Clients.item("a", "item-" + n).put("n", n));
        }
        requests = new BadRequests("dbs/tests/colls/" + container.getId() + "/docs");
    }

    static Stream<Arguments> kindsAndSeeds() {
        return Stream.of(BadRequests.Kind.values())
                .flatMap(kind -> LongStream.range(SEED, SEED + SEEDS).mapToObj(seed -> Arguments.of(kind, seed)));
    }

    @ParameterizedTest
    @MethodSource("kindsAndSeeds")
    void is_refused_politely(BadRequests.Kind kind, long seed) throws IOException {
        var random = new SplittableRandom(seed * 1_000 + kind.name().hashCode());
        var statuses = new TreeMap<Integer, Integer>();
        int cases = kind.casesOf(CASES);
        var connection = new RawConnection(port());
        try {
            for (int n = 0; n < cases; n++) {
                var request = requests.draw(kind, random, EMULATOR.emulator().key());
                var answer = kind == BadRequests.Kind.HTTP ? connection.sendLast(request) : connection.send(request);
                var told = "%s, seed %d, case %d: %s".formatted(kind, seed, n, shown(request));
                assertPolite(answer, kind, told);
                statuses.merge(answer == null ? 0 : answer.status(), 1, Integer::sum);
                if (answer == null || kind == BadRequests.Kind.HTTP || "close".equals(answer.header("connection"))) {
                    connection.close();
                    connection = new RawConnection(port());
                }
            }
        } finally {
            connection.close();
        }
        System.out.printf("%s, seed %d: %d cases, by status %s (0 = connection closed)%n", kind, seed, cases, statuses);

        assertStillServes();
    }

    private static void assertPolite(RawConnection.@Nullable Answer answer, BadRequests.Kind kind, String told)
            throws IOException {
        if (answer == null) {
            assertThat(kind.mayCloseConnection())
                    .as("connection closed by %s", told)
                    .isTrue();
            return;
        }
        assertThat(answer.status()).as(told).isBetween(200, 499);
        boolean isOurs = !answer.header("x-ms-activity-id").isEmpty();
        assertThat(isOurs || kind == BadRequests.Kind.HTTP)
                .as("no activity id: " + told)
                .isTrue();
        if (answer.status() >= 400 && isOurs) {
            JsonNode body = JSON.readTree(answer.text());
            assertThat(body.path("code").asText()).as(told).isNotEmpty();
            assertThat(body.path("message").asText())
                    .as(told)
                    .isNotEmpty()
                    .doesNotContain("java.", "Exception", "\tat ", "com.fasterxml");
        }
    }

    private static void assertStillServes() throws IOException {
        try (var connection = new RawConnection(port())) {
            var good = RawRequest.of("GET", "dbs/tests", Map.of(), "")
                    .bytes(EMULATOR.emulator().key());
            var answer = Objects.requireNonNull(connection.send(good));
            assertThat(answer.status()).isEqualTo(200);
        }
        var sockets = List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));
        if (sockets.stream().allMatch(Files::isReadable)) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(halfClosed(sockets))
                            .as("connections that the client has closed and the server has not")
                            .isZero());
        }
    }

    /** The server's sockets in CLOSE_WAIT, as Linux lists them. */
    private static long halfClosed(List<Path> sockets) throws IOException {
        var port = ":%04X".formatted(port());
        long count = 0;
        for (var list : sockets) {
            count += Files.readAllLines(list).stream()
                    .map(line -> line.trim().split("\\s+"))
                    .filter(fields -> fields[1].toUpperCase(Locale.ROOT).endsWith(port) && fields[3].equals("08"))
                    .count();
        }
        return count;
    }

    private static int port() {
        return URI.create(EMULATOR.emulator().endpoint()).getPort();
    }

    private static String shown(byte[] request) {
        var text = new String(request, 0, Math.min(request.length, 1500), java.nio.charset.StandardCharsets.ISO_8859_1);
        return text.replace("\r", "\\r").replace("\n", "\\n");
    }
}
