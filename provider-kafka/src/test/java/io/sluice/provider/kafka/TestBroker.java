package io.sluice.provider.kafka;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.Pulse;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.announcement.WorkStore;
import io.sluice.testkit.EmbeddedKafka;
import io.sluice.testkit.KafkaTopics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.SharePartitionOffsetInfo;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A broker whose share groups notice members at once, and a relay's announcements in topics of one prefix. */
final class TestBroker implements AutoCloseable {
    static final Map<String, String> QUICK_GROUPS = Map.ofEntries(
            Map.entry("group.share.min.heartbeat.interval.ms", "200"),
            Map.entry("group.share.heartbeat.interval.ms", "200"),
            Map.entry("group.share.min.session.timeout.ms", "3000"),
            Map.entry("group.share.session.timeout.ms", "3000"),
            Map.entry("group.share.assignment.interval.ms", "0"),
            Map.entry("group.share.min.record.lock.duration.ms", "1000"),
            Map.entry("group.share.record.lock.duration.ms", "3000"));
    static final FeedTimings QUICK = new FeedTimings(
            Duration.ofMillis(200),
            Duration.ofMillis(100),
            Duration.ofMillis(100),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofMillis(20),
            Duration.ofMinutes(10));

    /** Whose work is announced. */
    static final WorkStore STORE = new WorkStore("account", "sluice", "orders", "rid-1");

    private static final AtomicInteger PREFIXES = new AtomicInteger();

    private final String bootstrapServers;
    private final Runnable ending;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;
    private final ScheduledExecutorService relay = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "pulses");
        thread.setDaemon(true);
        return thread;
    });
    private final Queue<Future<RecordMetadata>> sent = new ConcurrentLinkedQueue<>();
    private final AtomicLong lagMillis = new AtomicLong();
    private volatile WorkStore announced = STORE;
    private String prefix = "";
    private @Nullable ScheduledFuture<?> pulses;

    private TestBroker(EmbeddedKafka kafka, Runnable ending) {
        this.bootstrapServers = kafka.bootstrapServers();
        this.ending = ending;
        Map<String, Object> properties = Map.of("bootstrap.servers", bootstrapServers, "linger.ms", 0);
        this.admin = Admin.create(properties);
        this.producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** On the broker that the tests of this JVM share. */
    static TestBroker shared() {
        return new TestBroker(Shared.KAFKA, () -> {});
    }

    /** On a broker that nobody else uses, and that is closed with this. */
    static TestBroker on(EmbeddedKafka kafka) {
        return new TestBroker(kafka, kafka::close);
    }

    /** One broker, from the first test that asks for it until the JVM ends. */
    private static final class Shared {
        private static final EmbeddedKafka KAFKA = start();

        private static EmbeddedKafka start() {
            EmbeddedKafka kafka = EmbeddedKafka.start(QUICK_GROUPS);
            Runtime.getRuntime().addShutdownHook(new Thread(kafka::close, "closes-shared-broker"));
            return kafka;
        }
    }

    Admin admin() {
        return admin;
    }

    FeedTopics topics() {
        return new FeedTopics(prefix);
    }

    String bootstrapServers() {
        return bootstrapServers;
    }

    /** Topics of their own for a test, and pulses of one range. */
    TestBroker newTopics(int turnPartitions) {
        prefix = "feed-" + PREFIXES.incrementAndGet();
        createTopics(turnPartitions);
        return this;
    }

    TestBroker newPrefix() {
        prefix = "feed-" + PREFIXES.incrementAndGet();
        return this;
    }

    void createTopics(int turnPartitions) {
        KafkaTopics.create(admin, newTopics(topics(), turnPartitions));
    }

    static List<NewTopic> newTopics(FeedTopics topics, int turnPartitions) {
        return List.of(
                new NewTopic(topics.of(WorkQueue.TURNS), turnPartitions, (short) 1),
                new NewTopic(topics.of(WorkQueue.ACTIVITIES), 1, (short) 1),
                new NewTopic(topics.help(), 1, (short) 1),
                new NewTopic(topics.pulse(), 1, (short) 1));
    }

    /** How long an activity is a reader's alone. */
    void lockRecordsFor(Duration time) {
        lockRecordsFor("", time);
    }

    /** The same of a reader with this filter. */
    void lockRecordsFor(String filter, Duration time) {
        ConfigResource group =
                new ConfigResource(ConfigResource.Type.GROUP, topics().group(WorkQueue.ACTIVITIES, STORE, filter));
        ConfigEntry lock = new ConfigEntry("share.record.lock.duration.ms", Long.toString(time.toMillis()));
        await(admin.incrementalAlterConfigs(Map.of(group, List.of(new AlterConfigOp(lock, AlterConfigOp.OpType.SET))))
                .all());
    }

    void deleteTopics() {
        await(admin.deleteTopics(topics().all()).all());
    }

    KafkaWorkFeedBuilder feed() {
        return KafkaWorkFeed.builder()
                .clientProperties(Map.of("bootstrap.servers", bootstrapServers))
                .topicPrefix(prefix)
                .pulseTimeout(Duration.ofSeconds(2))
                .timings(QUICK);
    }

    /** As a relay does while all is well. */
    void startPulses() {
        pulses = relay.scheduleAtFixedRate(this::sendPulse, 0, 100, TimeUnit.MILLISECONDS);
    }

    void stopPulses() {
        ScheduledFuture<?> running = pulses;
        if (running != null) {
            running.cancel(false);
        }
    }

    /** Pulses are of this store from now on. */
    void announce(WorkStore store) {
        announced = store;
    }

    void lag(long millis) {
        lagMillis.set(millis);
    }

    private void sendPulse() {
        byte[] pulse = Pulse.of(announced, "", "FF", System.currentTimeMillis(), lagMillis.get(), 0)
                .toJson();
        var unused = producer.send(new ProducerRecord<>(topics().pulse(), bytes("0"), pulse), (sent, failure) -> {});
    }

    void announceTurns(String... instances) {
        for (String instance : instances) {
            send(WorkQueue.TURNS, instance, Announcement.check(instance).toJson());
        }
        flush();
    }

    void announceActivities(String... ids) {
        Arrays.stream(ids).forEach(id -> announceActivity(id, null));
        flush();
    }

    void announceActivity(String id, @Nullable String session) {
        send(WorkQueue.ACTIVITIES, id, activity(id, session));
    }

    /** It was announced then. */
    void announceActivity(String id, long atMillis) {
        sent.add(producer.send(new ProducerRecord<>(
                topics().of(WorkQueue.ACTIVITIES), null, atMillis, bytes(id), activity(id, null))));
    }

    private static byte[] activity(String id, @Nullable String session) {
        AnnouncedDocument document =
                new AnnouncedDocument(id, "ActivityExecute", 10, 1, 1, null, 0, "etag", 1L, 1L, session, null, null);
        return Announcement.of(id, 0, List.of(document)).toJson();
    }

    void send(WorkQueue queue, String key, byte @Nullable [] value) {
        sent.add(producer.send(new ProducerRecord<>(topics().of(queue), bytes(key), value)));
    }

    /** A process asked for help with this instance then. */
    void askForHelp(String instance, long atMillis) {
        sent.add(producer.send(new ProducerRecord<>(
                topics().help(),
                null,
                atMillis,
                bytes(instance),
                Announcement.check(instance).toJson())));
    }

    /** A member of this group joins, gets the next record so often, releases it each time, and leaves. */
    void release(String group, String topic, int times) {
        Map<String, Object> properties = Map.of(
                "bootstrap.servers", bootstrapServers,
                "group.id", group,
                "share.acknowledgement.mode", "explicit",
                "share.acquire.mode", "record_limit",
                "max.poll.records", "1");
        try (ShareConsumer<byte[], byte[]> member =
                new KafkaShareConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            member.subscribe(List.of(topic));
            for (int released = 0; released < times; ) {
                for (ConsumerRecord<byte[], byte[]> message : member.poll(Duration.ofSeconds(1))) {
                    member.acknowledge(message, AcknowledgeType.RELEASE);
                    member.commitSync();
                    released++;
                }
            }
        }
    }

    /** The topic takes no record any more. */
    void refuse(String topic) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        AlterConfigOp smallest = new AlterConfigOp(new ConfigEntry("max.message.bytes", "1"), AlterConfigOp.OpType.SET);
        await(admin.incrementalAlterConfigs(Map.of(resource, List.of(smallest))).all());
    }

    /** Returns when the broker has all that was sent. */
    void flush() {
        producer.flush();
        for (Future<RecordMetadata> one = sent.poll(); one != null; one = sent.poll()) {
            try {
                one.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("a record was not taken", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    /** Over all partitions; -1 for a group without offsets. */
    long committed(String group) {
        Map<TopicPartition, OffsetAndMetadata> offsets =
                new HashMap<>(await(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata()));
        return offsets.isEmpty()
                ? -1
                : offsets.values().stream().mapToLong(OffsetAndMetadata::offset).sum();
    }

    /** Where the group that reads all activities begins; -1 where that is stored nowhere. */
    long startOfActivities() {
        return startOf(topics().group(WorkQueue.ACTIVITIES, STORE, ""), topics().of(WorkQueue.ACTIVITIES));
    }

    /** The same of another share group, in a topic of one partition. */
    long startOf(String group, String topic) {
        SharePartitionOffsetInfo place = await(
                        admin.listShareGroupOffsets(Map.of(group, new ListShareGroupOffsetsSpec()))
                                .partitionsToOffsetInfo(group))
                .get(new TopicPartition(topic, 0));
        return place == null ? -1 : place.startOffset();
    }

    /** How many members a share group has. */
    int members(String group) {
        return await(admin.describeShareGroups(List.of(group)).all()).values().stream()
                .mapToInt(description -> description.members().size())
                .sum();
    }

    /** How many records were ever in a topic of one partition. */
    long writtenTo(String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        return await(admin.listOffsets(Map.of(partition, OffsetSpec.latest())).partitionResult(partition))
                .offset();
    }

    static <T> T await(KafkaFuture<T> future) {
        try {
            return future.get(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        relay.shutdownNow();
        producer.close(Duration.ofSeconds(1));
        admin.close(Duration.ofSeconds(1));
        ending.run();
    }
}
