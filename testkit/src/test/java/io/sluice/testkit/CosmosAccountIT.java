package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.testkit.engine.EngineTestKit;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CosmosAccountIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    private static final List<String> seenNames = new CopyOnWriteArrayList<>();

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static CosmosClient client;

    private static Map<String, String> sameAccount = Map.of();

    @BeforeAll
    static void connect() {
        client = cosmos.clientBuilder().buildClient();
        sameAccount = Map.of(
                "COSMOS_ENDPOINT", cosmos.endpoint(), "COSMOS_KEY", cosmos.key(), "COSMOS_DATABASE", cosmos.database());
    }

    @AfterAll
    static void disconnect() {
        client.close();
        sameAccount = Map.of();
    }

    static boolean isRunning() {
        return !sameAccount.isEmpty();
    }

    @BeforeEach
    void remember_the_name() {
        assertThat(seenNames).as("no two tests may meet in a container").doesNotContain(cosmos.container());
        seenNames.add(cosmos.container());
    }

    @Test
    void the_official_sdk_reads_what_it_wrote() {
        database().createContainer(cosmos.container(), "/instanceId");
        CosmosContainer container = database().getContainer(cosmos.container());

        var written = container.createItem(Map.of("id", "one", "instanceId", "order-1", "total", 42));

        assertThat(written.getItem())
                .as("a write answers with its document")
                .containsEntry("total", 42)
                .containsKey("_etag");
        assertThat(container
                        .readItem("one", new PartitionKey("order-1"), JsonNode.class)
                        .getItem()
                        .path("total")
                        .asInt())
                .isEqualTo(42);
    }

    @Test
    void nothing_has_the_name_of_a_test_before_it_makes_it() {
        assertThat(containers()).doesNotContain(cosmos.container());
    }

    @Test
    void containers_are_dropped_after_passed_and_after_failed_tests() {
        database().createContainer(cosmos.container(), "/instanceId");

        var run = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(MakesContainers.class))
                .execute();

        run.testEvents().assertStatistics(counts -> counts.succeeded(1).failed(1));
        assertThat(MakesContainers.made).hasSize(4);
        assertThat(containers())
                .as("what a test made is gone, nothing else is")
                .doesNotContainAnyElementsOf(MakesContainers.made)
                .contains(cosmos.container());
    }

    @Test
    void a_test_for_the_emulator_is_skipped_on_another_account() {
        var run = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(NeedsTheEmulator.class))
                .execute();

        run.testEvents().assertStatistics(counts -> counts.started(1).aborted(1));
    }

    @Test
    void a_test_for_the_emulator_sees_its_own_requests_only() {
        var emulator = cosmos.requireEmulator();
        assertThat(emulator.requests().size()).isZero();

        containers();

        assertThat(emulator.requests().all())
                .as("what this test asked, and nothing of the tests before it")
                .extracting(LoggedRequest::operation)
                .containsOnly(RequestKind.CONTAINER_LIST);
    }

    @Test
    void an_embedded_emulator_is_its_classs_own() {
        OwnEmulator.endpoints.clear();

        var run = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(OwnEmulator.class), selectClass(AnotherOwnEmulator.class))
                .execute();

        run.testEvents().assertStatistics(counts -> counts.succeeded(3).failed(0));
        assertThat(OwnEmulator.endpoints).as("one of each class").hasSize(2);
    }

    @Test
    void classes_that_share_an_account_by_inheritance_can_not_run_at_once() {
        var run = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(FirstHeir.class), selectClass(SecondHeir.class))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.mode.classes.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "2")
                .execute();

        assertThat(run.containerEvents().failed().stream())
                .as("the class that came second")
                .singleElement()
                .satisfies(
                        event -> assertThat(String.valueOf(event.getPayload())).contains("@ResourceLock"));
    }

    @Test
    void a_wrong_key_is_named_as_the_reason() {
        var wrongKey =
                new CosmosSource.Account(cosmos.endpoint(), "bm90IHRoZSBrZXkgb2YgdGhpcyBhY2NvdW50", cosmos.database());

        assertThatThrownBy(wrongKey::open)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(cosmos.endpoint())
                .hasMessageNotContaining(wrongKey.key());
    }

    @Test
    void outside_of_a_test_it_says_how_to_register_it() {
        CosmosAccount unregistered = CosmosAccount.firstAvailable();

        assertThatThrownBy(unregistered::endpoint)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("@RegisterExtension static");
    }

    private static CosmosDatabase database() {
        return client.getDatabase(cosmos.database());
    }

    private static List<String> containers() {
        return database().readAllContainers().stream()
                .map(CosmosContainerProperties::getId)
                .toList();
    }

    @EnabledIf(value = "io.sluice.testkit.CosmosAccountIT#isRunning", disabledReason = "run by CosmosAccountIT")
    static final class MakesContainers {
        static final List<String> made = new CopyOnWriteArrayList<>();

        @RegisterExtension
        static final CosmosAccount theirs = CosmosAccount.firstAvailable(sameAccount);

        @BeforeAll
        static void make_one_for_the_class() {
            make(theirs.container());
        }

        @Test
        void passes() {
            make(theirs.container());
            make(theirs.container() + "-leases");
        }

        @Test
        void fails() {
            make(theirs.container());
            throw new AssertionError("as planned");
        }

        private static void make(String name) {
            database().createContainer(name, "/id");
            made.add(name);
        }
    }

    @EnabledIf(value = "io.sluice.testkit.CosmosAccountIT#isRunning", disabledReason = "run by CosmosAccountIT")
    static final class NeedsTheEmulator {
        @RegisterExtension
        static final CosmosAccount theirs = CosmosAccount.firstAvailable(sameAccount);

        @Test
        void is_skipped() {
            theirs.requireEmulator();
            throw new AssertionError("a named account has no emulator to show");
        }
    }

    @EnabledIf(value = "io.sluice.testkit.CosmosAccountIT#isRunning", disabledReason = "run by CosmosAccountIT")
    static final class OwnEmulator {
        static final Set<String> endpoints = ConcurrentHashMap.newKeySet();

        @RegisterExtension
        static final CosmosAccount embedded = CosmosAccount.firstAvailable(Map.of());

        @Test
        void one() {
            endpoints.add(embedded.endpoint());
        }

        @Test
        void two() {
            endpoints.add(embedded.endpoint());
        }
    }

    @EnabledIf(value = "io.sluice.testkit.CosmosAccountIT#isRunning", disabledReason = "run by CosmosAccountIT")
    static final class AnotherOwnEmulator {
        @RegisterExtension
        static final CosmosAccount embedded = CosmosAccount.firstAvailable(Map.of());

        @Test
        void one() {
            OwnEmulator.endpoints.add(embedded.endpoint());
        }
    }

    /** The first of its classes to begin stays until the other has ended. */
    abstract static class Heir {
        private static final int PATIENCE_SECONDS = 30;
        private static final CountDownLatch ended = new CountDownLatch(1);

        @RegisterExtension
        static final AfterAllCallback ending = context -> ended.countDown();

        @RegisterExtension
        static final CosmosAccount shared = CosmosAccount.firstAvailable(Map.of());

        @BeforeAll
        static void stay() throws InterruptedException {
            assertThat(ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }

        @Test
        void runs() {
            assertThat(shared.container()).isNotEmpty();
        }
    }

    @EnabledIf(value = "io.sluice.testkit.CosmosAccountIT#isRunning", disabledReason = "run by CosmosAccountIT")
    static final class FirstHeir extends Heir {}

    @EnabledIf(value = "io.sluice.testkit.CosmosAccountIT#isRunning", disabledReason = "run by CosmosAccountIT")
    static final class SecondHeir extends Heir {}
}
