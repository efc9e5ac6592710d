package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.testkit.process.JavaProcess;
import io.sluice.testkit.process.JavaProgram;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a process had heard when it was killed goes to another one. */
class KilledProcessIT {
    private static final Duration LONG = Duration.ofSeconds(60);

    @Test
    void its_turns_go_to_another_process_in_order_and_its_activity_as_well() throws Exception {
        try (TestBroker broker = TestBroker.shared()) {
            broker.newTopics(1).startPulses();
            try (JavaProcess killed = JavaProgram.of(
                            ForgetfulProgram.class,
                            broker.bootstrapServers(),
                            broker.topics().prefix())
                    .small(128)
                    .start()) {
                killed.awaitPrinted("ready");
                await().until(() -> broker.committed(broker.topics().group(WorkQueue.TURNS, "")) == 0);
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
                WorkFeed.Subscription workers = feed.subscribe(WorkQueue.ACTIVITIES, "", activities);
                workers.request(1);
                feed.subscribe(WorkQueue.TURNS, "", turns);

                await().atMost(LONG).until(() -> turns.instances().size() == 3);
                assertThat(turns.instances()).containsExactly("a", "b", "c");
                await().atMost(LONG)
                        .untilAsserted(() -> assertThat(activities.instances()).containsExactly("activity"));
            }
        }
    }
}
