package io.sluice.accountkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.BridgeInternal;
import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.report.Finding;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Account;
import io.sluice.accountkit.site.Site;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.cosmos.Throughput;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One assumption never keeps the others from being tried, and a command line that is wrong creates nothing. */
class KitFailuresIT {
    private static CosmosEmulator emulator;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        emulator = CosmosEmulator.start(
                EmulatorConfig.inMemory().withPhysicalPartitions(1).withRegions("North", "South", "East", "West"));
    }

    @AfterAll
    static void stop() {
        emulator.close();
    }

    private static List<Finding> run(Assumption... assumptions) throws InterruptedException {
        List<Finding> told = new ArrayList<>();
        try (var account = Account.connect(
                        new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "absent", "absent"));
                var site = Site.own(account, Throughput.NONE)) {
            var findings = new Kit(site, (finding, took) -> told.add(finding)).run(List.of(assumptions));
            assertThat(told).isEqualTo(findings);
            return findings;
        }
    }

    @Test
    void one_that_fails_or_takes_too_long_is_not_tried_and_the_next_one_is() throws InterruptedException {
        var interrupted = new AtomicBoolean();
        var ended = new CountDownLatch(1);

        var findings = run(
                new FakeAssumption("fails", () -> {
                    throw new IllegalStateException("for a reason");
                }),
                new FakeAssumption("never ends", () -> {
                    try {
                        new CountDownLatch(1).await();
                        return Outcome.holds("an end");
                    } catch (InterruptedException e) {
                        interrupted.set(true);
                        throw e;
                    } finally {
                        ended.countDown();
                    }
                }),
                new FakeAssumption("works", () -> Outcome.holds("well")));

        assertThat(findings)
                .extracting(Finding::outcome)
                .containsExactly(
                        Outcome.notTried("failed: IllegalStateException: for a reason"),
                        Outcome.notTried("not done within 1 s"),
                        Outcome.holds("well"));
        ended.await();
        assertThat(interrupted).isTrue();
    }

    @Test
    void a_refusal_differs_unless_it_passes() throws InterruptedException {
        var findings = run(refused(400), refused(404), refused(429), refused(449), refused(503));

        assertThat(findings)
                .extracting(finding -> finding.outcome().word())
                .containsExactly("DIFFERS", "DIFFERS", "NOT TRIED", "NOT TRIED", "NOT TRIED");
        assertThat(findings.get(0).outcome().detail()).isEqualTo("the service answered 400/0");
    }

    private static Assumption refused(int status) {
        return new FakeAssumption("refused with " + status, () -> {
            throw BridgeInternal.createCosmosException(status, "with the account's name");
        });
    }

    @Test
    void a_split_that_might_cost_more_than_is_promised_is_refused() {
        emulator.requests().clear();

        var run = KitRun.begun(emulator, folder, "--split");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("it might cost 29.76 $ in 4 regions, more than 10");
        assertThat(emulator.requests().all())
                .noneMatch(request -> request.operation().isWrite());
    }

    @Test
    void what_does_not_go_together_is_refused() {
        assertThat(KitRun.begun(emulator, folder, "--merge-minutes", "5").code())
                .isEqualTo(2);
        assertThat(KitRun.begun(emulator, folder, "--split", "--serverless").code())
                .isEqualTo(2);
        assertThat(KitRun.begun(emulator, folder, "--only", "no such assumption")
                        .err())
                .contains("no assumption has a name that contains [no such assumption]");
    }

    @Test
    void an_identity_is_told_that_it_can_create_nothing() {
        var run = KitRun.of(emulator, folder, Map.of("COSMOS_AUTH", "aad"), "y\n");

        assertThat(run.code()).isEqualTo(2);
    }

    @Test
    void a_database_that_was_not_prepared_is_named() {
        var run = KitRun.of(emulator, folder, Map.of("COSMOS_DATABASE", "unprepared"), "y\n", "--prepared");

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).contains("container 'store' in database 'unprepared'", "does not exist");
    }

    @Test
    void an_account_that_does_not_answer_is_named_at_once() {
        var run = KitRun.of(emulator, folder, Map.of("COSMOS_ENDPOINT", "http://127.0.0.1:1/"), "y\n");

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).contains("no connection to 127.0.0.1:1");
    }
}
