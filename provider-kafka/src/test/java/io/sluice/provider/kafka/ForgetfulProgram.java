package io.sluice.provider.kafka;

import static org.awaitility.Awaitility.await;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A process that prints what is announced to it, handles nothing, and waits to be killed. */
final class ForgetfulProgram {
    static final String HEARD = "heard of ";

    private ForgetfulProgram() {}

    // Arguments: bootstrap servers and prefix.
    public static void main(String[] args) throws InterruptedException {
        KafkaWorkFeed feed = KafkaWorkFeed.builder()
                .clientProperties(Map.of("bootstrap.servers", args[0]))
                .topicPrefix(args[1])
                .activityReaders(1)
                .pulseTimeout(Duration.ofSeconds(2))
                .timings(TestBroker.QUICK)
                .build();
        RecordingListener printing = RecordingListener.answering(heard -> System.out.println(HEARD + heard.instance()));
        WorkFeed.Subscription turns = feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", printing);
        WorkFeed.Subscription activities = feed.subscribe(TestBroker.STORE, WorkQueue.ACTIVITIES, "", printing);
        activities.request(1);
        await().atMost(Duration.ofMinutes(1)).until(() -> turns.isHealthy() && activities.isHealthy());
        System.out.println("ready");
        new CountDownLatch(1).await();
    }
}
