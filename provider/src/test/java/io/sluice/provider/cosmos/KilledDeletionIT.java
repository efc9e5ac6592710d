package io.sluice.provider.cosmos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.provider.DeleteInstanceResult;
import io.sluice.provider.ProviderAdmin;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.process.JavaProcess;
import io.sluice.testkit.process.JavaProgram;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The process that deletes a tree is killed by SIGKILL, and another one finishes its work or undoes it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KilledDeletionIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private static final Duration PAST_THE_DEADLINE = Duration.ofMinutes(1);

    @Test
    void a_tree_whose_deleter_is_killed_before_the_decision_is_whole_and_can_be_deleted() {
        WideTree tree = killWhenItSends(120, DeletionAttempts::isPatchOfHead);

        sweepLater();

        ProviderAdmin admin = fixture.provider().asManagementCapability().orElseThrow();
        StoreContents contents = new StoreContents(fixture.store());
        assertThat(tree.members())
                .allSatisfy(member -> assertThat(contents.ofType(member, "instance"))
                        .singleElement()
                        .satisfies(head ->
                                assertThat(head.path("lockToken").asText()).doesNotContain("deletion")));
        assertThat(admin.deleteInstance("root", true)).isEqualTo(everythingOf(tree));
        assertThat(contents.documents()).isEmpty();
    }

    @Test
    void a_tree_whose_deleter_is_killed_after_the_decision_is_gone_and_its_ids_are_free() {
        WideTree tree =
                killWhenItSends(100, request -> DeletionAttempts.batch(request).contains("delete:"));

        sweepLater();

        assertThat(new StoreContents(fixture.store()).documents()).isEmpty();
        CosmosProvider provider = fixture.provider();
        WideTree again = WideTree.create(fixture, provider, "root", 3);
        assertThat(provider.asManagementCapability().orElseThrow().deleteInstance(again.root(), true))
                .isEqualTo(everythingOf(again));
        assertThat(tree.members()).startsWith(again.root());
    }

    private static DeleteInstanceResult everythingOf(WideTree tree) {
        return new DeleteInstanceResult(tree.size(), tree.size(), tree.size(), 0);
    }

    /** The sweep of another process, whose clock shows that the deadline has passed. */
    private void sweepLater() {
        InstantSource later = () -> InstantSource.system().instant().plus(PAST_THE_DEADLINE);
        assertThat(new StoreSweep(fixture.store(), later).finishDeletions()).isEqualTo(1);
    }

    /** Two hundred members; the process dies before its n-th such request, with others under way. */
    private WideTree killWhenItSends(int nth, Predicate<LoggedRequest> which) {
        CosmosEmulator emulator = account.requireEmulator();
        WideTree tree = WideTree.create(fixture, fixture.provider(), "root", 199);
        CosmosStoreConfig config = fixture.config();
        CompletableFuture<JavaProcess> started = new CompletableFuture<>();
        emulator.requests().clear();
        FaultRule kill = emulator.faults()
                .runBefore(which, nth, request -> started.join().kill());
        JavaProgram program = JavaProgram.of(
                        DeletingProgram.class,
                        config.endpoint(),
                        config.key(),
                        config.database(),
                        config.container(),
                        tree.root())
                .small(128);
        try (JavaProcess process = program.start()) {
            started.complete(process);
            assertThat(process.awaitEnd()).as(process.lastLines()).isNotZero();
        }
        assertThat(kill.hits()).isEqualTo(1);
        await("what was sent has arrived")
                .until(() -> emulator.requests().matching(which).count() >= nth);
        return tree;
    }
}
