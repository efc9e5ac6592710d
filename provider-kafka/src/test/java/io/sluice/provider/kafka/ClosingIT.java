package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.announcement.WorkQueue;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** It looks at the threads of all feeds of this JVM. */
@Isolated
class ClosingIT {
    @Test
    void closing_ends_all_threads_in_time_also_without_a_broker() {
        KafkaWorkFeed feed = KafkaWorkFeed.builder()
                .clientProperties(Map.of("bootstrap.servers", "127.0.0.1:1"))
                .timings(TestBroker.QUICK)
                .closeTimeout(Duration.ofSeconds(3))
                .build();
        feed.subscribe(WorkQueue.TURNS, "", RecordingListener.handling());
        feed.subscribe(WorkQueue.ACTIVITIES, "sessions:", RecordingListener.handling());
        long begunNanos = System.nanoTime();

        feed.close();

        assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isLessThan(Duration.ofSeconds(10));
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("sluice-work-")));
    }
}
