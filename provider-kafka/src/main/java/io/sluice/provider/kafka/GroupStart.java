package io.sluice.provider.kafka;

import io.sluice.provider.kafka.thread.StopSignal;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterShareGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.SharePartitionOffsetInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Comes before a process's first reader of activities: stores where the share group begins in the topic, which is at
 * its end, unless that is stored already. Kafka stores it with the first record that is answered, and until then the
 * leader of the partition alone knows it. The next leader would begin at the end of its own time: what was announced in
 * between would come to nobody, without a sign that it is missing.
 *
 * <p>Nobody joins before the place is stored, since Kafka lets it be stored only while the group is empty. Members that
 * read a topic of the same name that was deleted leave when they notice. Where several processes store a place, the
 * place that was stored last counts, and each of these processes queries everything once it has joined. Used by one
 * thread.
 */
final class GroupStart implements TopicReader {
    private static final Logger LOG = LoggerFactory.getLogger(GroupStart.class);
    private static final long WAIT_MILLIS = 200;
    /** A member that was killed is in its group for 45 s more, unless brokers are configured otherwise. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final ShareGroup group;
    private final TopicState topic;
    private final Admin admin;
    private final StopSignal closing = new StopSignal();
    private final long begunNanos = System.nanoTime();
    private CompletableFuture<Boolean> storing;
    private long sentNanos;

    private GroupStart(ShareGroup group, TopicState topic, Admin admin) {
        this.group = group;
        this.topic = topic;
        this.admin = admin;
        this.storing = store();
    }

    static GroupStart open(FeedConfig config, ShareGroup group, TopicState topic) {
        return new GroupStart(group, topic, Admin.create(FeedClients.adminProperties(config, "start")));
    }

    @Override
    public void step() {
        try {
            if (storing.get(WAIT_MILLIS, TimeUnit.MILLISECONDS) || isTooLate()) {
                group.started(topic);
            } else {
                closing.await(Duration.ofMillis(WAIT_MILLIS));
                storing = store();
            }
        } catch (TimeoutException e) {
            if (FeedClients.isOverdue(sentNanos)) {
                throw FeedClients.noAnswer(e);
            }
            LOG.atTrace().setCause(e).log("the brokers have not answered yet");
        } catch (ExecutionException e) {
            throw FeedClients.failure(e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private boolean isTooLate() {
        if (System.nanoTime() - begunNanos < PATIENCE.toNanos()) {
            return false;
        }
        LOG.atWarn()
                .addKeyValue("group", group.name())
                .addKeyValue("topic", topic.name())
                .log(
                        "other members joined this share group before its start offset was stored: until one of its records is"
                                + " acknowledged, announcements may be lost when a broker stops");
        return true;
    }

    /** Whether the place is stored now; false while the group has members who read without. */
    private CompletableFuture<Boolean> store() {
        sentNanos = System.nanoTime();
        ListShareGroupOffsetsSpec partitions = new ListShareGroupOffsetsSpec().topicPartitions(topic.all());
        return admin.listShareGroupOffsets(Map.of(group.name(), partitions))
                .partitionsToOffsetInfo(group.name())
                .toCompletionStage()
                .thenApply(this::missing)
                .thenCompose(
                        missing -> missing.isEmpty() ? CompletableFuture.completedFuture(true) : storeEnds(missing))
                .toCompletableFuture();
    }

    /**
     * The partitions without a start offset. A partition that is absent from the answer has no leader: it is left out.
     */
    private Map<TopicPartition, OffsetSpec> missing(Map<TopicPartition, SharePartitionOffsetInfo> stored) {
        Map<TopicPartition, OffsetSpec> missing = new HashMap<>();
        for (TopicPartition partition : topic.all()) {
            if (!stored.containsKey(partition)) {
                throw new LeaderNotAvailableException("where " + group.name() + " is in " + partition
                        + " can't be told, the partition may have no leader");
            }
            if (stored.get(partition) == null) {
                missing.put(partition, OffsetSpec.latest());
            }
        }
        return missing;
    }

    private CompletionStage<Boolean> storeEnds(Map<TopicPartition, OffsetSpec> missing) {
        return admin.listOffsets(missing).all().toCompletionStage().thenCompose(this::store);
    }

    private CompletionStage<Boolean> store(Map<TopicPartition, ListOffsetsResultInfo> ends) {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        ends.forEach((partition, end) -> offsets.put(partition, end.offset()));
        AlterShareGroupOffsetsResult answer = admin.alterShareGroupOffsets(group.name(), offsets);
        return CompletableFuture.allOf(offsets.keySet().stream()
                        .map(partition -> answer.partitionResult(partition)
                                .toCompletionStage()
                                .toCompletableFuture())
                        .toArray(CompletableFuture[]::new))
                .handle((done, failure) -> isStored(offsets, failure));
    }

    private boolean isStored(Map<TopicPartition, Long> offsets, @Nullable Throwable failure) {
        if (failure == null) {
            LOG.atInfo()
                    .addKeyValue("group", group.name())
                    .addKeyValue("offsets", offsets)
                    .log("stored where a new group begins");
            return true;
        }
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof GroupNotEmptyException) {
            LOG.atDebug().addKeyValue("group", group.name()).setCause(cause).log("others are in the group");
            return false;
        }
        throw new CompletionException(cause);
    }

    @Override
    public boolean isReady() {
        return false;
    }

    @Override
    public boolean isDone() {
        return group.isStarted(topic);
    }

    @Override
    public void wakeup() {
        closing.stop();
    }

    @Override
    public void close(Duration timeout) {
        FeedClients.close(admin);
    }
}
