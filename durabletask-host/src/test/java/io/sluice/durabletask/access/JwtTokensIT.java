package io.sluice.durabletask.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.keys.HmacKey;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens of an identity provider whose keys are served over a socket. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Order(1)
class JwtTokensIT {
    private static final String ISSUER = "https://login.example.org/tenant/v2.0";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String AUDIENCE = "api://orders";
    private static final JwtTokens.Claims CLAIMS = new JwtTokens.Claims("roles", "hubs");

    private final Instant end = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(3_600);

    @TempDir
    Path folder;

    /** To make a key takes longer than all that is done with it. */
    private static final RsaJsonWebKey KEY = key("first");

    private static final RsaJsonWebKey OTHER = key("second");

    private final AtomicInteger asked = new AtomicInteger();
    private volatile String published = keySet(KEY);
    private volatile int status = 200;
    private volatile CountDownLatch silence = new CountDownLatch(0);
    private HttpServer provider;
    private JwtTokens tokens;

    @BeforeEach
    void serve() throws IOException {
        provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        provider.createContext("/keys", exchange -> {
            asked.incrementAndGet();
            awaitEnd(silence);
            byte[] body = published.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        provider.start();
        tokens = newTokens();
    }

    private JwtTokens newTokens() {
        return JwtTokens.of("http://127.0.0.1:" + provider.getAddress().getPort() + "/keys", ISSUER, AUDIENCE, CLAIMS);
    }

    private static void awaitEnd(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void stop() {
        silence.countDown();
        provider.stop(0);
    }

    private static RsaJsonWebKey key(String id) {
        try {
            RsaJsonWebKey made = RsaJwkGenerator.generateJwk(2048);
            made.setKeyId(id);
            made.setAlgorithm(AlgorithmIdentifiers.RSA_USING_SHA256);
            return made;
        } catch (JoseException e) {
            throw new AssertionError(e);
        }
    }

    private static String keySet(PublicJsonWebKey... keys) {
        return new JsonWebKeySet(List.of(keys)).toJson(JsonWebKey.OutputControlLevel.PUBLIC_ONLY);
    }

    private JwtClaims claims() {
        JwtClaims claims = new JwtClaims();
        claims.setIssuer(ISSUER);
        claims.setAudience(AUDIENCE);
        claims.setExpirationTime(NumericDate.fromSeconds(end.getEpochSecond()));
        claims.setStringListClaim("roles", List.of("client", "worker", "reader"));
        return claims;
    }

    private String signed(RsaJsonWebKey by, Consumer<JwtClaims> changes) throws JoseException {
        return signed(by, by.getKeyId(), changes);
    }

    private String signed(RsaJsonWebKey by, String name, Consumer<JwtClaims> changes) throws JoseException {
        JwtClaims claims = claims();
        changes.accept(claims);
        JsonWebSignature signature = new JsonWebSignature();
        signature.setPayload(claims.toJson());
        signature.setKey(by.getPrivateKey());
        signature.setKeyIdHeaderValue(name);
        signature.setAlgorithmHeaderValue(AlgorithmIdentifiers.RSA_USING_SHA256);
        return signature.getCompactSerialization();
    }

    @Test
    void claims_name_rights_and_task_hubs() throws JoseException {
        assertThat(tokens.grantOf(signed(KEY, claims -> {})))
                .contains(new Grant(Set.of(Right.CLIENT, Right.WORKER), null, end.plusSeconds(30)));
        assertThat(tokens.grantOf(signed(KEY, claims -> {
                    claims.setStringClaim("roles", "admin worker");
                    claims.setStringListClaim("hubs", List.of("orders", "billing"));
                })))
                .contains(
                        new Grant(Set.of(Right.ADMIN, Right.WORKER), Set.of("orders", "billing"), end.plusSeconds(30)));
        assertThat(asked).as("keys are kept").hasValue(1);
    }

    @Test
    void a_token_without_rights_is_good_and_allows_nothing() throws JoseException {
        assertThat(tokens.grantOf(signed(KEY, claims -> claims.unsetClaim("roles"))))
                .contains(new Grant(Set.of(), null, end.plusSeconds(30)));
    }

    @Test
    void a_token_that_names_no_task_hub_opens_none() throws JoseException {
        assertThat(tokens.grantOf(signed(KEY, claims -> claims.setStringListClaim("hubs", List.of()))))
                .hasValueSatisfying(grant -> assertThat(grant.opens("orders")).isFalse());
        assertThat(tokens.grantOf(signed(KEY, claims -> claims.setClaim("hubs", 1))))
                .hasValueSatisfying(grant -> assertThat(grant.opens("orders")).isFalse());
    }

    @Test
    void what_another_has_issued_or_for_another_or_for_another_time_is_refused() throws JoseException {
        assertThat(List.of(
                        signed(KEY, claims -> claims.setIssuer("https://login.example.org/other/v2.0")),
                        signed(KEY, claims -> claims.setAudience("api://billing")),
                        signed(KEY, claims -> claims.unsetClaim("aud")),
                        signed(KEY, claims -> claims.unsetClaim("exp")),
                        signed(KEY, claims -> claims.setExpirationTime(secondsFromNow(-60))),
                        signed(KEY, claims -> claims.setNotBefore(secondsFromNow(90)))))
                .allSatisfy(token -> assertThat(tokens.grantOf(token)).isEmpty());
        assertThat(tokens.grantOf(signed(KEY, claims -> claims.setExpirationTime(secondsFromNow(-10)))))
                .as("clocks differ")
                .isPresent();
    }

    private static NumericDate secondsFromNow(long seconds) {
        NumericDate time = NumericDate.now();
        time.addSeconds(seconds);
        return time;
    }

    @Test
    void what_is_signed_by_nobody_by_another_or_with_the_public_key_is_refused() throws JoseException {
        JsonWebSignature unsigned = new JsonWebSignature();
        unsigned.setPayload(claims().toJson());
        unsigned.setAlgorithmConstraints(org.jose4j.jwa.AlgorithmConstraints.NO_CONSTRAINTS);
        unsigned.setAlgorithmHeaderValue(AlgorithmIdentifiers.NONE);
        JsonWebSignature symmetric = new JsonWebSignature();
        symmetric.setPayload(claims().toJson());
        symmetric.setKeyIdHeaderValue(KEY.getKeyId());
        symmetric.setAlgorithmHeaderValue(AlgorithmIdentifiers.HMAC_SHA256);
        symmetric.setKey(new HmacKey(KEY.getPublicKey().getEncoded()));

        assertThat(List.of(
                        signed(OTHER, KEY.getKeyId(), claims -> {}),
                        unsigned.getCompactSerialization(),
                        symmetric.getCompactSerialization()))
                .allSatisfy(token -> assertThat(tokens.grantOf(token)).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a.b.c", "..", "eyJhbGciOiJSUzI1NiJ9.e30.", "static-token-0123456789"})
    void what_is_no_token_is_refused(String text) {
        assertThat(tokens.grantOf(text)).isEmpty();
    }

    @Test
    void keys_that_change_are_found_and_those_that_are_gone_are_refused() throws Exception {
        String old = signed(KEY, claims -> {});
        assertThat(tokens.grantOf(old)).isPresent();
        String young = signed(OTHER, claims -> {});
        published = keySet(OTHER);
        // Keys are not asked for again within some seconds of the last time.
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(tokens.grantOf(young)).isPresent());

        assertThat(tokens.grantOf(old)).isEmpty();
    }

    @Test
    void known_keys_stay_good_while_the_provider_does_not_answer() throws JoseException {
        assertThat(tokens.grantOf(signed(KEY, claims -> {}))).isPresent();
        status = 503;

        assertThat(tokens.grantOf(signed(OTHER, claims -> {}))).isEmpty();
        assertThat(tokens.grantOf(signed(KEY, claims -> {}))).isPresent();
    }

    @Test
    void no_call_waits_for_a_provider_that_does_not_answer() throws JoseException {
        String good = signed(KEY, claims -> {});
        String forged = signed(OTHER, claims -> {});
        assertThat(tokens.grantOf(good)).isPresent();
        silence = new CountDownLatch(1);
        long began = System.nanoTime();

        assertTimeoutPreemptively(PATIENCE, () -> {
            for (int i = 0; i < 20; i++) {
                assertThat(tokens.grantOf(forged)).isEmpty();
                assertThat(tokens.grantOf(good)).isPresent();
            }
        });

        long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
        assertThat(asked)
                .as("once at the start, then every five seconds")
                .hasValueLessThanOrEqualTo(2 + (int) seconds / 5);
    }

    @Test
    void a_provider_that_answers_late_is_asked_again() throws JoseException {
        status = 503;
        JwtTokens early = newTokens();
        String token = signed(KEY, claims -> {});
        assertThat(early.grantOf(token)).isEmpty();

        status = 200;

        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(early.grantOf(token)).isPresent());
    }

    @Test
    void keys_may_lie_in_a_file() throws Exception {
        Path file = Files.writeString(folder.resolve("keys.json"), keySet(KEY));

        assertThat(JwtTokens.of(file.toString(), ISSUER, AUDIENCE, CLAIMS).grantOf(signed(KEY, claims -> {})))
                .isPresent();
    }

    @Test
    void a_place_of_keys_that_can_not_be_right_is_named() throws IOException {
        Path broken = Files.writeString(folder.resolve("broken.json"), "{}");

        assertThatThrownBy(() -> JwtTokens.of("http://keys.example.org/", ISSUER, AUDIENCE, CLAIMS))
                .hasMessageContaining("must come by https");
        assertThatThrownBy(() -> JwtTokens.of("/no/such/file", ISSUER, AUDIENCE, CLAIMS))
                .hasMessageContaining("/no/such/file: no file");
        assertThatThrownBy(() -> JwtTokens.of(broken.toString(), ISSUER, AUDIENCE, CLAIMS))
                .hasMessageContaining("expected a JSON Web Key Set");
    }
}
