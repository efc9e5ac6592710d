package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.testkit.process.JavaProcess;
import io.sluice.testkit.process.JavaProgram;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a process had heard when it was killed goes to another one, and what comes afterwards as well. */
class KilledProcessIT {
    private static final Duration LONG = Duration.ofSeconds(60);

    /** How a process leaves its group without a word. */
    private enum End {
        /** Its connections end. */
        KILLED,
        /** Nothing ends, it is silent. */
        FROZEN;

        void happenTo(JavaProcess process) {
            if (this == KILLED) {
                process.kill();
            } else {
                process.freeze();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void another_process_hears_of_its_instances_before_long(End end) {
        String[] instances = IntStream.range(0, 40).mapToObj(i -> "i-" + i).toArray(String[]::new);
        RecordingListener turns = RecordingListener.handling();
        RecordingListener activities = RecordingListener.handling();
        try (TestBroker broker = TestBroker.shared();
                KafkaWorkFeed feed = broker.newTopics(4).feed().build()) {
            broker.startPulses();
            WorkFeed.Subscription turnFeed = feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", turns);
            WorkFeed.Subscription workers = feed.subscribe(TestBroker.STORE, WorkQueue.ACTIVITIES, "", activities);
            await().atMost(LONG).until(() -> owned(turnFeed, instances) == 40 && workers.isHealthy());
            try (JavaProcess other = process(broker)) {
                other.awaitPrinted("ready");
                await().atMost(LONG).until(() -> owned(turnFeed, instances) < 40);

                end.happenTo(other);
                broker.announceTurns(instances);
                workers.request(10);
                broker.announceActivities("a-1", "a-2", "a-3");

                await("sessions are of 6 s; the broker's own are of 45 s")
                        .atMost(Duration.ofSeconds(15))
                        .until(() -> Set.copyOf(turns.instances()).size() == 40);
                await().until(() -> activities.instances().size() == 3);
            }
        }
    }

    private static long owned(WorkFeed.Subscription subscription, String... instances) {
        return Arrays.stream(instances).filter(subscription::isOwn).count();
    }

    private static JavaProcess process(TestBroker broker) {
        return JavaProgram.of(
                        ForgetfulProgram.class,
                        broker.bootstrapServers(),
                        broker.topics().prefix())
                .small(128)
                .start();
    }

    @Test
    void its_turns_go_to_another_process_in_order_and_its_activity_as_well() throws Exception {
        try (TestBroker broker = TestBroker.shared()) {
            broker.newTopics(1).startPulses();
            try (JavaProcess killed = process(broker)) {
                killed.awaitPrinted("ready");
                await().until(() ->
                        broker.committed(broker.topics().group(WorkQueue.TURNS, TestBroker.STORE, "")) == 0);
                broker.announceTurns("a", "b", "c");
                killed.awaitPrinted(ForgetfulProgram.HEARD + "c");
                broker.announceActivities("activity");
                killed.awaitPrinted(ForgetfulProgram.HEARD + "activity");
                killed.kill();
                assertThat(killed.lines())
                        .filteredOn(line -> line.startsWith(ForgetfulProgram.HEARD))
                        .extracting(line -> line.substring(ForgetfulProgram.HEARD.length()))
                        .containsExactly("a", "b", "c", "activity");
            }

            RecordingListener turns = RecordingListener.handling();
            RecordingListener activities = RecordingListener.handling();
            try (KafkaWorkFeed feed = broker.feed().build()) {
                WorkFeed.Subscription workers = feed.subscribe(TestBroker.STORE, WorkQueue.ACTIVITIES, "", activities);
                workers.request(1);
                feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", turns);

                await().atMost(LONG).until(() -> turns.instances().size() == 3);
                assertThat(turns.instances()).containsExactly("a", "b", "c");
                await().atMost(LONG)
                        .untilAsserted(() -> assertThat(activities.instances()).containsExactly("activity"));
            }
        }
    }
}
