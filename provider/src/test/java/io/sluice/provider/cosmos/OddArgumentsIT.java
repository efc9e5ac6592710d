package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.Provider;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.contract.OddCalls;
import io.sluice.testkit.CosmosAccount;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a caller passes, it gets an answer or the one exception that the contract names. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OddArgumentsIT {
    private static final long SEED = 20_261_128;

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    static Stream<Method> ofTheProvider() {
        return OddCalls.methodsOf(Provider.class);
    }

    static Stream<Method> ofTheAdmin() {
        return OddCalls.methodsOf(ProviderAdmin.class);
    }

    @ParameterizedTest
    @MethodSource("ofTheProvider")
    void no_method_of_the_provider_throws_another_exception(Method method) {
        CosmosProvider provider = fixture.provider();

        assertThat(calls(provider, provider).strayExceptions(method))
                .as("seed %d", SEED)
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("ofTheAdmin")
    void no_method_of_the_admin_throws_another_exception(Method method) {
        CosmosProvider provider = fixture.provider();
        provider.enqueueForOrchestrator(start("order-1"), null);
        provider.ackOrchestrationItem(StoreFixture.firstAck(takeTurn(provider)));

        assertThat(calls(provider.asManagementCapability().orElseThrow(), provider)
                        .strayExceptions(method))
                .as("seed %d", SEED)
                .isEmpty();
    }

    /** Calls that take the turns they ack from this provider. */
    private static OddCalls calls(Object target, CosmosProvider provider) {
        AtomicInteger turns = new AtomicInteger();
        return new OddCalls(
                target,
                () -> {
                    provider.enqueueForOrchestrator(start("turn-" + turns.incrementAndGet()), null);
                    return takeTurn(provider).lockToken();
                },
                SEED);
    }
}
