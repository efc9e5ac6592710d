package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.EventConditions;
import org.junit.platform.testkit.engine.TestExecutionResultConditions;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KafkaClusterIT {
    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final List<String> seenPrefixes = new CopyOnWriteArrayList<>();
    private static String classPrefix = "";
    private static String sharedAddress = "";

    @BeforeAll
    static void make_a_topic_for_all_tests() throws Exception {
        classPrefix = kafka.prefix();
        user().createTopic(classPrefix + ".shared");
        sharedAddress = kafka.bootstrapServers();
    }

    @AfterAll
    static void forget_the_cluster() {
        sharedAddress = "";
    }

    static boolean isRunning() {
        return !sharedAddress.isEmpty();
    }

    @BeforeEach
    void remember_the_prefix() {
        assertThat(seenPrefixes).as("no two tests may meet in a topic").doesNotContain(kafka.prefix());
        seenPrefixes.add(kafka.prefix());
    }

    @Test
    void a_test_reads_what_it_wrote() throws Exception {
        String topic = kafka.prefix() + ".orders";
        user().createTopic(topic);

        user().commit(kafka.prefix(), topic, "one", "two");

        assertThat(user().readCommitted(topic)).containsExactly("one", "two");
    }

    @Test
    void the_prefix_of_a_test_is_its_own_and_stays_the_same_throughout() {
        assertThat(kafka.prefix()).isEqualTo(kafka.prefix()).isNotEqualTo(classPrefix);
    }

    @Test
    void a_topic_of_the_class_outlives_its_tests() throws Exception {
        assertThat(user().topics()).contains(classPrefix + ".shared");
    }

    @Nested
    class Within_a_nested_class {
        @Test
        void the_same_cluster_and_another_prefix_are_given() throws Exception {
            assertThat(kafka.bootstrapServers()).isEqualTo(sharedAddress);
            assertThat(user().topics()).contains(classPrefix + ".shared");
        }
    }

    @Test
    void topics_are_deleted_after_passed_and_after_failed_tests() throws Exception {
        String alien = kafka.prefix() + ".not-theirs";
        user().createTopic(alien);

        var run = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(MakesTopics.class))
                .execute();

        run.testEvents().assertStatistics(counts -> counts.succeeded(1).failed(1));
        assertThat(MakesTopics.made).hasSize(3);
        assertThat(user().topics())
                .as("what a test made is gone, nothing else is")
                .doesNotContainAnyElementsOf(MakesTopics.made)
                .contains(alien);
    }

    @Test
    void an_unknown_backend_fails_the_class_with_the_allowed_values() {
        var run = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(AsksForTheMoon.class))
                .execute();

        run.containerEvents()
                .assertThatEvents()
                .haveExactly(
                        1,
                        EventConditions.finishedWithFailure(
                                TestExecutionResultConditions.instanceOf(IllegalArgumentException.class),
                                TestExecutionResultConditions.message(
                                        message -> message.contains("one of embedded, docker"))));
    }

    @Test
    void outside_of_a_test_it_says_how_to_register_it() {
        KafkaCluster unregistered = KafkaCluster.firstAvailable();

        assertThatThrownBy(unregistered::bootstrapServers)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("@RegisterExtension static");
        assertThatThrownBy(unregistered::prefix).isInstanceOf(IllegalStateException.class);
    }

    private static KafkaUser user() {
        return new KafkaUser(kafka.bootstrapServers());
    }

    @EnabledIf(value = "io.sluice.testkit.KafkaClusterIT#isRunning", disabledReason = "run by KafkaClusterIT")
    static final class MakesTopics {
        static final List<String> made = new CopyOnWriteArrayList<>();

        @RegisterExtension
        static final KafkaCluster theirs =
                KafkaCluster.firstAvailable(Map.of("KAFKA_BOOTSTRAP_SERVERS", sharedAddress));

        @BeforeAll
        static void make_one_for_the_class() throws Exception {
            make("class");
        }

        @Test
        void passes() throws Exception {
            make("passed");
        }

        @Test
        void fails() throws Exception {
            make("failed");
            throw new AssertionError("as planned");
        }

        private static void make(String name) throws Exception {
            String topic = theirs.prefix() + "." + name;
            new KafkaUser(theirs.bootstrapServers()).createTopic(topic);
            made.add(topic);
        }
    }

    @EnabledIf(value = "io.sluice.testkit.KafkaClusterIT#isRunning", disabledReason = "run by KafkaClusterIT")
    static final class AsksForTheMoon {
        @RegisterExtension
        static final KafkaCluster none = KafkaCluster.firstAvailable(Map.of("SLUICE_TEST_BACKEND", "moon"));

        @Test
        void is_never_run() {
            none.bootstrapServers();
        }
    }
}
