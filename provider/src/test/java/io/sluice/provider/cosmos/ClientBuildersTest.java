package io.sluice.provider.cosmos;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.ConnectionMode;
import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.implementation.ConnectionPolicy;
import com.azure.cosmos.implementation.ImplementationBridgeHelpers.CosmosClientBuilderHelper;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClientBuildersTest {
    @ParameterizedTest
    @CsvSource({
        "https://shop.documents.azure.com:443/, BY_ENDPOINT, DIRECT",
        "https://shop.documents.azure.com:443/, GATEWAY,     GATEWAY",
        "https://localhost:8081/,               BY_ENDPOINT, GATEWAY",
        "https://localhost:8081/,               DIRECT,      DIRECT",
        "http://127.0.0.1:8081/,                BY_ENDPOINT, GATEWAY",
    })
    void accounts_are_spoken_to_directly_and_emulators_through_their_gateway(
            String endpoint, Connectivity.Mode mode, ConnectionMode expected) {
        var config = new CosmosStoreConfig(endpoint, "a2V5", "d", "c")
                .withConnectivity(new Connectivity(mode, List.of(), ""));

        assertThat(policy(config).getConnectionMode()).isEqualTo(expected);
    }

    @Test
    void regions_and_name_are_passed_on_and_the_sdk_never_waits_when_throttled() {
        var config = new CosmosStoreConfig("https://shop.documents.azure.com:443/", "a2V5", "d", "c")
                .withConnectivity(new Connectivity(
                        Connectivity.Mode.BY_ENDPOINT, List.of("West Europe", "North Europe"), "shop"));

        ConnectionPolicy policy = policy(config);

        assertThat(policy.getPreferredRegions()).containsExactly("West Europe", "North Europe");
        assertThat(policy.getUserAgentSuffix()).isEqualTo("sluice-shop");
        assertThat(policy.getThrottlingRetryOptions().getMaxRetryAttemptsOnThrottledRequests())
                .isZero();
        assertThat(policy.getThrottlingRetryOptions().getMaxRetryWaitTime()).isEqualTo(Duration.ZERO);
        assertThat(policy.isServerCertValidationDisabled()).isFalse();
    }

    @Test
    void a_prepared_builder_keeps_its_own_and_gets_what_the_contract_rests_on() {
        var prepared = new CosmosClientBuilder()
                .endpoint("https://shop.documents.azure.com:443/")
                .key("a2V5")
                .gatewayMode()
                .userAgentSuffix("mine")
                .consistencyLevel(ConsistencyLevel.EVENTUAL);

        var config = CosmosStoreConfig.of(prepared, "d", "c");
        ConnectionPolicy policy = policy(config);

        assertThat(config.endpoint()).isEqualTo("https://shop.documents.azure.com:443/");
        assertThat(policy.getConnectionMode()).isEqualTo(ConnectionMode.GATEWAY);
        assertThat(policy.getUserAgentSuffix()).isEqualTo("mine");
        assertThat(policy.getThrottlingRetryOptions().getMaxRetryAttemptsOnThrottledRequests())
                .isZero();
        assertThat(CosmosClientBuilderHelper.getCosmosClientBuilderAccessor().getConsistencyLevel(prepared))
                .as("eventual reads would miss what was just written")
                .isEqualTo(ConsistencyLevel.SESSION);
    }

    private static ConnectionPolicy policy(CosmosStoreConfig config) {
        return CosmosClientBuilderHelper.getCosmosClientBuilderAccessor().buildConnectionPolicy(config.clientBuilder());
    }
}
