package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.ProviderException;
import io.sluice.testkit.CosmosAccount;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a provider says of a store that fails. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StoreFailureIT {
    private static final int UNAUTHORIZED = 401;

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    @Test
    void only_what_the_store_has_answered_says_that_it_answers_again() {
        account.requireEmulator();
        CosmosProvider provider = fixture.provider();
        provider.enqueueForOrchestrator(start("first"), null);
        assertThat(provider.storeFailure()).isEmpty();
        fixture.emulator().faults().refuse(request -> true, 0, UNAUTHORIZED, 0);

        assertThatThrownBy(() -> provider.enqueueForOrchestrator(start("second"), null))
                .isInstanceOf(ProviderException.class);
        assertThat(provider.storeFailure()).isPresent();
        assertThatThrownBy(() -> provider.enqueueForOrchestrator(start("not/an/id"), null))
                .as("refused before anything is asked")
                .isInstanceOf(ProviderException.class);
        assertThat(provider.storeFailure()).isPresent();

        fixture.emulator().faults().clear();
        provider.enqueueForOrchestrator(start("third"), null);
        assertThat(provider.storeFailure()).isEmpty();
    }
}
