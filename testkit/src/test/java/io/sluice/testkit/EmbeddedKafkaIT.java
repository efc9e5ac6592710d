package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EmbeddedKafkaIT {
    /** For tests that only use a broker, or look at it. */
    @SuppressWarnings("NullAway.Init") // set before all tests
    private static EmbeddedKafka shared;

    @BeforeAll
    static void startShared() {
        shared = EmbeddedKafka.start();
    }

    @AfterAll
    static void stopShared() {
        shared.close();
    }

    @Test
    void a_committed_transaction_is_read_and_an_aborted_one_is_not() throws Exception {
        KafkaUser user = new KafkaUser(shared.bootstrapServers());
        user.createTopic("transactions");

        user.commit("writer", "transactions", "kept-1", "kept-2");
        user.abort("writer", "transactions", "dropped");
        user.commit("writer", "transactions", "kept-3");

        assertThat(user.readCommitted("transactions"))
                .as("a read_committed consumer sees committed transactions only, in order")
                .containsExactly("kept-1", "kept-2", "kept-3");
    }

    @Test
    void a_controller_on_a_busy_machine_takes_no_partition_from_the_only_broker() throws Exception {
        var broker = new ConfigResource(ConfigResource.Type.BROKER, "1");
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", shared.bootstrapServers()))) {
            var settings = Objects.requireNonNull(
                    admin.describeConfigs(List.of(broker)).all().get().get(broker));

            assertThat(settings.get("broker.session.timeout.ms").value())
                    .as("a partition without a leader loses the ends of transactions")
                    .isEqualTo("300000");
        }
    }

    @Test
    void topics_come_from_an_admin_never_from_a_mention() throws Exception {
        KafkaUser user = new KafkaUser(shared.bootstrapServers());

        assertThatThrownBy(() -> user.describe("nobody-made-me"))
                .as("a misspelt topic must fail a test, not quietly exist")
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
    }

    @Test
    void a_folder_keeps_topics_and_records_across_restarts(@TempDir Path folder) throws Exception {
        int port;
        try (EmbeddedKafka kafka = EmbeddedKafka.start(folder)) {
            KafkaUser user = new KafkaUser(kafka.bootstrapServers());
            user.createTopic("orders");
            user.commit("writer", "orders", "first life");
            port = kafka.port();
        }

        try (EmbeddedKafka again = EmbeddedKafka.start(folder, port)) {
            KafkaUser user = new KafkaUser(again.bootstrapServers());
            user.commit("writer", "orders", "second life");

            assertThat(again.port()).isEqualTo(port);
            assertThat(user.readCommitted("orders"))
                    .as("records and the state of the transactional producer outlive the broker")
                    .containsExactly("first life", "second life");
        }
        assertThat(folder).as("a folder the caller named is never deleted").isNotEmptyDirectory();
    }

    @Test
    void two_brokers_in_one_jvm_know_nothing_of_each_other() throws Exception {
        try (EmbeddedKafka other = EmbeddedKafka.start()) {
            KafkaUser userOfOne = new KafkaUser(shared.bootstrapServers());
            KafkaUser userOfOther = new KafkaUser(other.bootstrapServers());
            userOfOne.createTopic("orders");
            userOfOther.createTopic("orders");

            userOfOne.commit("writer", "orders", "in one");
            userOfOther.commit("writer", "orders", "in the other");

            assertThat(userOfOne.readCommitted("orders")).containsExactly("in one");
            assertThat(userOfOther.readCommitted("orders")).containsExactly("in the other");
        }
    }

    @Test
    void closing_ends_every_thread_and_deletes_the_temporary_folder() throws Exception {
        ThreadGroup threads = new ThreadGroup("the broker and all threads it starts");
        EmbeddedKafka kafka = startIn(threads);
        KafkaUser user = new KafkaUser(kafka.bootstrapServers());
        user.createTopic("orders");
        user.commit("writer", "orders", "something to clean up");
        assertThat(alive(threads)).isNotEmpty();

        kafka.close();
        kafka.close();

        assertThat(alive(threads))
                .as("threads of a closed broker would pile up in a long test run")
                .isEmpty();
        assertThat(kafka.folder()).doesNotExist();
    }

    @Test
    void a_folder_in_use_is_refused_and_its_broker_lives_on(@TempDir Path folder) throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(folder)) {
            assertThatThrownBy(() -> EmbeddedKafka.start(folder))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("another embedded broker is using the folder " + folder);

            KafkaUser user = new KafkaUser(kafka.bootstrapServers());
            user.createTopic("orders");
            user.commit("writer", "orders", "still here");
            assertThat(user.readCommitted("orders")).containsExactly("still here");
        }
    }

    @Test
    void a_folder_with_foreign_files_is_refused_untouched(@TempDir Path folder) throws Exception {
        Path foreign = Files.writeString(folder.resolve("thesis.txt"), "do not touch");

        assertThatThrownBy(() -> EmbeddedKafka.start(folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith(folder.toString());

        assertThat(folder)
                .isDirectoryContaining(foreign::equals)
                .isDirectoryNotContaining(file -> !file.equals(foreign));
    }

    @Test
    void a_port_in_use_is_named_in_the_failure(@TempDir Path folder) {
        assertThatThrownBy(() -> EmbeddedKafka.start(folder, shared.port()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(Integer.toString(shared.port()));
    }

    /** Threads belong to the group of the thread that starts them, so a group tells one broker's from all others. */
    private static EmbeddedKafka startIn(ThreadGroup threads) throws Exception {
        FutureTask<EmbeddedKafka> start = new FutureTask<>(EmbeddedKafka::start);
        Thread starter = new Thread(threads, start, "starter");
        starter.start();
        starter.join();
        return start.get();
    }

    /** All but the ticker of the metrics library, of which a JVM has one permanently, however many brokers it saw. */
    private static List<String> alive(ThreadGroup threads) {
        Thread[] found = new Thread[1_000];
        int count = threads.enumerate(found, true);
        return Arrays.stream(found, 0, count)
                .map(Thread::getName)
                .filter(name -> !name.startsWith("metrics-meter-tick-thread"))
                .toList();
    }
}
