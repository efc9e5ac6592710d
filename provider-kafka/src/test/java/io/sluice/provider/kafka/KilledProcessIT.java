package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a process had heard when it was killed goes to another one. */
class KilledProcessIT {
    private static final Duration LONG = Duration.ofSeconds(60);

    @Test
    void its_turns_go_to_another_process_in_order_and_its_activity_as_well() throws Exception {
        try (TestBroker broker = TestBroker.start()) {
            broker.newTopics(1).startPulses();
            Process killed = start(broker);
            try (BufferedReader printed = killed.inputReader()) {
                assertThat(printed.readLine()).isEqualTo("ready");
                await().until(() -> broker.committed(broker.topics().group(WorkQueue.TURNS, "")) == 0);
                broker.announceTurns("a", "b", "c");
                assertThat(List.of(printed.readLine(), printed.readLine(), printed.readLine()))
                        .containsExactly("a", "b", "c");
                broker.announceActivities("activity");
                assertThat(printed.readLine()).isEqualTo("activity");
            } finally {
                killed.destroyForcibly().waitFor();
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

    private static Process start(TestBroker broker) throws IOException {
        return new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ForgetfulProgram.class.getName(),
                        broker.bootstrapServers(),
                        broker.topics().prefix())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
