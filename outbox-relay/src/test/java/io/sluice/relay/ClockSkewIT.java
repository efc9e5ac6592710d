package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.program.cli.ExitCode;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The service's clock and this machine's disagree: the service's time counts, for everything that waits, expires or
 * gets old.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClockSkewIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** The offset is estimated from dates in whole seconds. */
    private static final long ROUNDING_MILLIS = 2_000;

    @AfterEach
    void setClockRight() {
        cosmos.requireEmulator().setClockOffset(Duration.ZERO);
    }

    @ParameterizedTest
    @ValueSource(longs = {-60_000, 60_000})
    void the_relay_goes_by_the_time_of_the_service_and_verbs_see_it_run(long offsetMillis) throws Exception {
        cosmos.requireEmulator().setClockOffset(Duration.ofMillis(offsetMillis));
        try (var store = TestStore.provisioned(cosmos);
                var relay = OutboxRelay.builder()
                        .config(TestConfig.of(store, kafka).withDelivery(TestConfig.givingUpAfter(100)))
                        .build()) {
            relay.start();
            long serviceMillis = serviceMillis(offsetMillis);
            store.writeIntents("due", "due-target", 1, 1, serviceMillis - ROUNDING_MILLIS);
            store.writeIntents("later", "later-target", 1, 1, serviceMillis + 600_000);
            store.writeWithDeadline("expired", "expired-target", serviceMillis, serviceMillis - ROUNDING_MILLIS);
            store.writeWithDeadline("in-time", "in-time-target", serviceMillis, serviceMillis + 120_000);
            store.writePoison("poison", "poison-target", 1, serviceMillis - ROUNDING_MILLIS);

            awaitOne(store, "due-target");
            awaitOne(store, "in-time-target");
            await().atMost(PATIENCE).until(() -> relay.status().intents().failed() == 1);
            await().atMost(PATIENCE).until(() -> relay.status().intents().parked() > 0);

            var now = within(serviceMillis, serviceMillis(offsetMillis));
            assertThat(store.documents("expired", "outbox_intent"))
                    .singleElement()
                    .satisfies(failed -> {
                        assertThat(failed.path("status").asText()).isEqualTo("failed");
                        assertThat(failed.path("failedAt").asLong()).is(now);
                    });
            assertThat(store.documents("poison", "outbox_intent"))
                    .singleElement()
                    .satisfies(parked -> {
                        assertThat(parked.path("lastAttemptAt").asLong()).is(now);
                        assertThat(parked.path("nextAttemptAt").asLong()).is(now);
                    });
            assertThat(store.documents("due-target", "receipt"))
                    .singleElement()
                    .satisfies(receipt ->
                            assertThat(receipt.path("createdAt").asLong()).is(now));
            assertThat(store.ids("later-target", "orch_queue")).isEmpty();
            assertThatVerbsSeeTheRelay(store);
        }
    }

    private static void assertThatVerbsSeeTheRelay(TestStore store) {
        for (var verb : List.of("prefix release --yes", "intents release --yes")) {
            assertThat(CommandRun.of(CommandRun.environment(store, kafka), verb.split(" ", -1)))
                    .as(verb)
                    .returns(ExitCode.OTHER, CommandRun::code)
                    .extracting(CommandRun::err)
                    .asString()
                    .contains("stop them first");
        }
    }

    private static void awaitOne(TestStore store, String target) {
        await().atMost(PATIENCE).until(() -> store.ids(target, "orch_queue").size() == 1);
    }

    private static long serviceMillis(long offsetMillis) {
        return System.currentTimeMillis() + offsetMillis;
    }

    private static Condition<Long> within(long from, long to) {
        return new Condition<>(
                millis -> millis >= from - ROUNDING_MILLIS && millis <= to + 2 * ROUNDING_MILLIS,
                "between %d and %d by the service's time",
                from,
                to);
    }
}
