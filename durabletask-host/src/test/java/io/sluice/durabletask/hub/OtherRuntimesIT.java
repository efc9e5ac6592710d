package io.sluice.durabletask.hub;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.durabletask.state.InstanceState;
import io.sluice.durabletask.wire.Protocol.ExecutionStartedEvent;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.testkit.CosmosAccount;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A container whose instances were run by a host, by another runtime, or by nobody so far. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OtherRuntimesIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private CosmosProvider provider;
    private OtherRuntime runtime;

    @BeforeEach
    void open() {
        CosmosStoreConfig store =
                new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        CosmosStore.provision(store);
        provider = CosmosProvider.builder().reconciler(false).config(store).build();
        runtime = new OtherRuntime(provider);
    }

    @AfterEach
    void close() {
        provider.close();
    }

    @Test
    void what_waits_for_its_first_turn_is_nobodys() {
        runtime.start("waits");
        var unused = runtime.fetch();

        assertThat(OtherRuntimes.warning(provider.queries())).isEmpty();
    }

    @Test
    void what_a_host_ran_is_the_hosts() {
        runtime.start("hosted");
        runtime.turn(ExecutionMetadata.NONE
                .withStatus("Completed", "{}")
                .withExt(InstanceState.pending(ExecutionStartedEvent.getDefaultInstance())
                        .toExt()));

        assertThat(OtherRuntimes.warning(provider.queries())).isEmpty();
    }

    @Test
    void what_another_runtime_runs_is_told_with_the_remedy() {
        runtime.start("native");
        runtime.turn(ExecutionMetadata.NONE);

        assertThat(OtherRuntimes.warning(provider.queries()))
                .hasValueSatisfying(warning -> assertThat(warning)
                        .contains("instance 'native' of 'Order'", "another runtime", "a container of its own"));
    }

    @Test
    void what_another_runtime_has_ended_is_told_too() {
        runtime.start("ended");
        runtime.turn(ExecutionMetadata.NONE.withStatus("Completed", "{}"));

        assertThat(OtherRuntimes.warning(provider.queries())).isPresent();
    }
}
