package io.sluice.emulator;

import static io.sluice.emulator.Clients.assertRefused;
import static io.sluice.emulator.Clients.item;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;

/** Clients that sign in as an identity, with tokens such as those of tests for Microsoft's emulators. */
class IdentityTokensIT {
    @RegisterExtension
    static final RunningEmulator EMULATOR = RunningEmulator.inMemory();

    @Test
    void an_identity_reads_and_writes_items() {
        var id = EMULATOR.container().getId();
        try (var client = client(token(EMULATOR.emulator().key(), 3600))) {
            var container = client.getDatabase("tests").getContainer(id);

            container.createItem(item("a", "1"));

            assertThat(container
                            .readItem("1", new PartitionKey("a"), ObjectNode.class)
                            .getStatusCode())
                    .isEqualTo(200);
            assertThat(Clients.ids(Clients.query(container, "SELECT * FROM c ORDER BY c.id")))
                    .containsExactly("1");
        }
    }

    @Test
    void an_identity_makes_no_databases_and_containers() {
        try (var client = client(token(EMULATOR.emulator().key(), 3600))) {
            var database = client.getDatabase("tests");

            assertRefused(() -> client.createDatabase("other"), 403).returns(5300, CosmosException::getSubStatusCode);
            assertRefused(() -> database.createContainer("other", "/pk"), 403);
            assertRefused(database::delete, 403);
            assertRefused(
                    () -> database.getContainer("other")
                            .replaceThroughput(ThroughputProperties.createManualThroughput(400)),
                    404);
        }
    }

    @Test
    void a_token_of_another_key_or_that_has_expired_is_refused() throws Exception {
        assertUnauthorized(token("b3RoZXI=", 3600));
        assertUnauthorized(token(EMULATOR.emulator().key(), -1));
        assertUnauthorized("a.b");
        assertUnauthorized("a.b.c");
        assertUnauthorized("a.!." + base64(EMULATOR.emulator().key()));
        assertUnauthorized(
                "a." + base64("no claims") + "." + base64(EMULATOR.emulator().key()));
    }

    private static void assertUnauthorized(String token) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(EMULATOR.emulator().endpoint()))
                .header("authorization", "type%3Daad%26ver%3D1.0%26sig%3D" + token)
                .build();
        var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.body()).contains("identity's token");
    }

    private static CosmosClient client(String token) {
        TokenCredential identity = asked -> Mono.just(
                new AccessToken(token, OffsetDateTime.now(ZoneOffset.UTC).plusHours(1)));
        JavaClients.builder(EMULATOR.emulator());
        return new CosmosClientBuilder()
                .endpoint(EMULATOR.emulator().endpoint())
                .credential(identity)
                .gatewayMode()
                .buildClient();
    }

    private static String token(String key, long secondsLeft) {
        long expiry = System.currentTimeMillis() / 1000 + secondsLeft;
        return base64("{\"typ\":\"JWT\",\"alg\":\"RS256\"}") + "." + base64("{\"exp\":" + expiry + "}") + "."
                + base64(key);
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
