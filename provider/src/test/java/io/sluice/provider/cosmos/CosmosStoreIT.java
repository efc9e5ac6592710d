package io.sluice.provider.cosmos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.models.CosmosContainerProperties;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderException;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** What goes wrong when a store is opened is said with the place and the remedy. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CosmosStoreIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @Test
    void a_provisioned_container_opens_and_provisioning_again_changes_nothing() {
        CosmosStore.provision(config());
        CosmosStore.provision(config());

        try (CosmosStore store = CosmosStore.open(config())) {
            assertThat(store.isExpiryOn()).isTrue();
            assertThat(store.containerName()).isEqualTo(account.container());
        }
    }

    @Test
    void a_missing_container_names_itself_and_says_to_provision() {
        assertThatThrownBy(() -> CosmosStore.open(config()))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining(account.container())
                .hasMessageContaining("provision");
    }

    @Test
    void a_key_that_is_none_is_not_taken_for_an_account_that_is_away() {
        var config = new CosmosStoreConfig(
                account.endpoint(), account.key() + " pasted", account.database(), account.container());

        assertThatThrownBy(() -> CosmosStore.open(config))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining("COSMOS_KEY is no base64")
                .hasMessageNotContaining("pasted");
    }

    @Test
    void another_partition_key_is_refused() {
        try (CosmosAsyncClient client = account.clientBuilder().buildAsyncClient()) {
            client.getDatabase(account.database())
                    .createContainer(account.container(), "/tenant")
                    .block();
        }

        assertThatThrownBy(() -> CosmosStore.open(config()))
                .isInstanceOf(ProviderException.class)
                .hasMessageContaining("/tenant")
                .hasMessageContaining("/instanceId");
    }

    @Test
    void a_container_without_expiry_opens_with_a_warning() {
        try (CosmosAsyncClient client = account.clientBuilder().buildAsyncClient()) {
            client.getDatabase(account.database())
                    .createContainer(account.container(), "/instanceId")
                    .block();
        }

        try (CosmosStore store = CosmosStore.open(config())) {
            assertThat(store.isExpiryOn()).isFalse();
            assertThat(store.differences())
                    .anyMatch(text -> text.contains("defaultTtl"))
                    .anyMatch(text -> text.contains("/eventData/*"));
        }
    }

    @Test
    void a_container_that_deletes_what_it_holds_is_refused() {
        try (CosmosAsyncClient client = account.clientBuilder().buildAsyncClient()) {
            client.getDatabase(account.database())
                    .createContainer(new CosmosContainerProperties(account.container(), "/instanceId")
                            .setDefaultTimeToLiveInSeconds(3_600))
                    .block();
        }

        assertThatThrownBy(() -> CosmosStore.open(config()))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining("3600 seconds")
                .hasMessageContaining("defaultTtl");
    }

    @Test
    void who_provisions_at_the_same_moment_does_no_harm() {
        CosmosStore.provision(config());
        // The SDK looks first; let it see nothing.
        account.requireEmulator()
                .faults()
                .refuse(request -> request.toString().contains(account.container()), 1, 404, 0);

        CosmosStore.provision(config());

        try (CosmosStore store = CosmosStore.open(config())) {
            assertThat(store.differences()).isEmpty();
        }
    }

    @Test
    void throughput_is_bought_at_creation() {
        CosmosStore.provision(config().withThroughput(Throughput.autoscale(4_000)));

        try (CosmosStore store = CosmosStore.open(config())) {
            var bought = store.container().readThroughput().block();
            assertThat(bought).isNotNull();
            assertThat(bought.getProperties().getAutoscaleMaxThroughput()).isEqualTo(4_000);
        }
    }

    @Test
    void a_prepared_client_builder_opens_a_store_and_keeps_what_it_says() {
        CosmosStore.provision(config());
        var prepared = new CosmosClientBuilder()
                .endpoint(account.endpoint())
                .key(account.key())
                .gatewayMode()
                .userAgentSuffix("shop");

        try (CosmosProvider provider = CosmosProvider.builder()
                .reconciler(false)
                .client(prepared, account.database(), account.container())
                .build()) {
            provider.enqueueForOrchestrator(StoreFixture.start("order-1"), null);
            assertThat(StoreFixture.takeTurn(provider).item().instance()).isEqualTo("order-1");
        }
    }

    @Test
    void an_identity_is_asked_for_a_token_and_a_refusal_names_the_role_rather_than_the_key() {
        AtomicInteger asked = new AtomicInteger();
        TokenCredential identity = request -> {
            asked.incrementAndGet();
            return Mono.just(new AccessToken(
                    "secret-token", OffsetDateTime.now(ZoneOffset.UTC).plusHours(1)));
        };
        var config = new CosmosStoreConfig(
                account.endpoint(), Credential.of(identity), account.database(), account.container());

        // The emulator knows no identities.
        assertThatThrownBy(() -> CosmosStore.open(config))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining("identity")
                .hasMessageNotContaining("secret-token");
        assertThat(asked).hasPositiveValue();
    }

    @Test
    void a_wrong_key_says_which_setting_to_check_and_does_not_show_it() {
        String wrong = "d3Jvbmcga2V5IHdyb25nIGtleSB3cm9uZyBrZXkgd3JvbmcgIQ==";
        var config = new CosmosStoreConfig(account.endpoint(), wrong, account.database(), account.container());

        assertThatThrownBy(() -> CosmosStore.open(config))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining("COSMOS_KEY")
                .hasMessageNotContaining(wrong);
    }

    @Test
    void tls_on_a_plain_port_and_a_plain_request_on_a_tls_port_name_the_setting() {
        try (CosmosEmulator plain = CosmosEmulator.start(EmulatorConfig.inMemory());
                CosmosEmulator tls =
                        CosmosEmulator.start(EmulatorConfig.inMemory().withSelfSignedTls())) {
            assertWrongScheme(plain.endpoint().replace("http:", "https:"), "speaks no TLS");
            assertWrongScheme(tls.endpoint().replace("https:", "http:"), "speaks TLS: write https://");
        }
    }

    private static void assertWrongScheme(String endpoint, String words) {
        assertThatThrownBy(() -> CosmosStore.open(new CosmosStoreConfig(endpoint, "a2V5", "d", "c")))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining("COSMOS_ENDPOINT")
                .hasMessageContaining(words);
    }

    @Test
    void an_endpoint_where_nobody_listens_is_told_within_seconds() throws IOException {
        int closedPort;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closedPort = socket.getLocalPort();
        }
        var config = new CosmosStoreConfig("http://127.0.0.1:" + closedPort + "/", "a2V5", "d", "c");
        Instant began = Instant.now();

        assertThatThrownBy(() -> CosmosStore.open(config))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isTrue())
                .hasMessageContaining("127.0.0.1:" + closedPort)
                .hasMessageContaining("COSMOS_ENDPOINT");
        assertThat(Duration.between(began, Instant.now())).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void a_store_that_is_up_and_slow_is_told_from_one_that_is_away_and_can_be_waited_for() {
        CosmosStore.provision(config());
        try (HeldRequest slow = HeldRequest.of(account.requireEmulator(), request -> true)) {
            assertThatThrownBy(() -> CosmosStore.open(opened("700")))
                    .isInstanceOfSatisfying(
                            ProviderException.class,
                            e -> assertThat(e.retryable()).isTrue())
                    .hasMessageContaining("reading the account")
                    .hasMessageContaining("did not answer within 0.7 s")
                    .hasMessageContaining("COSMOS_OPEN_TIMEOUT")
                    .hasMessageNotContaining("COSMOS_ENDPOINT");
            slow.awaitHeld();
        }
        try (CosmosStore store = CosmosStore.open(opened(""))) {
            assertThat(store.differences()).isEmpty();
        }
        assertThat(opened("").connectivity().toString()).contains("openTimeout=PT1M");
    }

    private static CosmosStoreConfig opened(String millis) {
        return CosmosStoreConfig.fromEnvironment(Map.of(
                "COSMOS_ENDPOINT", account.endpoint(),
                "COSMOS_KEY", account.key(),
                "COSMOS_DATABASE", account.database(),
                "COSMOS_CONTAINER", account.container(),
                "COSMOS_OPEN_TIMEOUT", millis));
    }

    @Test
    void an_account_with_several_write_regions_is_refused() {
        try (CosmosEmulator emulator =
                CosmosEmulator.start(EmulatorConfig.inMemory().withMultipleWriteRegions(true))) {
            var config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "d", "c");

            assertThatThrownBy(() -> CosmosStore.provision(config))
                    .isInstanceOfSatisfying(
                            ProviderException.class,
                            e -> assertThat(e.retryable()).isFalse())
                    .hasMessageContaining("write regions");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "a?b", "a#b", "a\\b", "a\nb"})
    void an_instance_id_the_store_cannot_hold_is_refused_before_anything_is_written(String id) {
        CosmosStore.provision(config());
        try (CosmosProvider provider =
                CosmosProvider.builder().reconciler(false).config(config()).build()) {
            account.requireEmulator().requests().clear();

            assertRefused(provider, id);

            assertThat(account.requireEmulator().requests().all()).isEmpty();
        }
    }

    @Test
    void an_instance_id_that_is_too_long_is_refused_with_its_length() {
        CosmosStore.provision(config());
        try (CosmosProvider provider =
                CosmosProvider.builder().reconciler(false).config(config()).build()) {
            assertRefused(provider, "x".repeat(1_020));
            assertRefused(provider, "x".repeat(2_049));
        }
    }

    private static void assertRefused(Provider provider, String id) {
        WorkItem item = new WorkItem.ExternalRaised(id, "signal", "x");
        assertThatThrownBy(() -> provider.enqueueForOrchestrator(item, null))
                .isInstanceOfSatisfying(ProviderException.class, e -> {
                    assertThat(e.retryable()).isFalse();
                    assertThat(e.operation()).isEqualTo("enqueueForOrchestrator");
                })
                .hasMessageContaining("instance id");
        assertThatThrownBy(() -> provider.read(id)).isInstanceOf(ProviderException.class);
    }

    private static CosmosStoreConfig config() {
        return new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
    }
}
