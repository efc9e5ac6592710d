package io.sluice.provider.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.Provider;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.contract.ContractItems;
import io.sluice.provider.contract.OddCalls;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The model, too, throws nothing else than the contract says, whatever a caller passes. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OddArgumentsTest {
    private static final long SEED = 20_261_128;
    private static final Duration LOCK = Duration.ofSeconds(30);

    private final ReferenceStore store = new ReferenceStore(InstantSource.system());

    static Stream<Method> ofTheProvider() {
        return OddCalls.methodsOf(Provider.class);
    }

    static Stream<Method> ofTheAdmin() {
        return OddCalls.methodsOf(ProviderAdmin.class);
    }

    @ParameterizedTest
    @MethodSource("ofTheProvider")
    void no_method_of_the_provider_throws_another_exception(Method method) {
        assertThat(calls(store).strayExceptions(method)).as("seed %d", SEED).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("ofTheAdmin")
    void no_method_of_the_admin_throws_another_exception(Method method) {
        assertThat(calls(store.asManagementCapability().orElseThrow()).strayExceptions(method))
                .as("seed %d", SEED)
                .isEmpty();
    }

    private OddCalls calls(Object target) {
        AtomicInteger turns = new AtomicInteger();
        return new OddCalls(
                target,
                () -> {
                    store.enqueueForOrchestrator(ContractItems.start("turn-" + turns.incrementAndGet()), null);
                    return store.fetchOrchestrationItem(LOCK, Duration.ZERO, null)
                            .orElseThrow()
                            .lockToken();
                },
                SEED);
    }
}
