package io.sluice.relay.command;

import io.sluice.relay.command.CommandBatch.Entry;
import io.sluice.relay.command.CommandBatch.Held;
import io.sluice.relay.command.CommandBatch.Origin;
import io.sluice.relay.command.parked.ParkedLog;
import io.sluice.relay.contract.TopicStorage;
import io.sluice.relay.log.LogKeys;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parked commands of the partitions that this member owns: those that their instance's part of the store did not
 * take in time, and those of the same instance that came after them. They lie in the topic of parked commands too, so
 * that the next owner goes on with them. A partition may have so many bytes parked; then it is full, and has to pause.
 * Belongs to the consumer's thread.
 */
final class ParkedCommands {
    private static final Logger LOG = LoggerFactory.getLogger(ParkedCommands.class);
    /** The record, its text, and the parsed command. */
    private static final int COPIES = 3;

    /** A partition that has to pause does so for so long at least. */
    private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    private static final int LARGEST_RECORD = TopicStorage.LARGE_RECORD_BYTES - 65_536;

    private final ParkedLog log;
    private final long mostBytes;
    private final InstantSource clock;
    private final Map<String, ParkedQueue> queues = new LinkedHashMap<>();
    private final Map<TopicPartition, Long> bytes = new HashMap<>();
    /** What is needed for the batch under way beyond that, by what of it is to be parked. */
    private final Map<TopicPartition, Long> reserved = new HashMap<>();

    private final Map<TopicPartition, Full> full = new HashMap<>();
    /** Lanes of the batch under way that were ended, by instance. */
    private final Map<String, Lane> ended = new HashMap<>();
    /** Partitions of the topic; 0 before anything was read from it. */
    private int partitions;

    /**
     * Why a partition pauses.
     *
     * @param needed bytes for the command that had no room
     */
    private record Full(long needed, long sinceNanos) {}

    /**
     * Knows of none yet.
     *
     * @param mostBytes of memory for all partitions, each of which may take its part
     */
    ParkedCommands(ParkedLog log, long mostBytes, InstantSource clock) {
        this.log = log;
        this.mostBytes = mostBytes;
        this.clock = clock;
    }

    /** Reads what is parked of partitions; see {@link ParkedLog#read}. */
    Map<TopicPartition, List<ParkedLog.Parked>> read(Collection<TopicPartition> owned) {
        partitions = log.partitions();
        return log.read(owned);
    }

    /** Takes over what was read, in place of what is known of these partitions. */
    void load(Map<TopicPartition, List<ParkedLog.Parked>> read) {
        drop(read.keySet());
        int count = 0;
        for (var parked : read.values().stream().flatMap(List::stream).toList()) {
            var origin = new Origin(parked.record().topicId(), parked.record().mayHaveEarlierReceipt());
            add(new Entry(parked.record().command(), origin), parked.sinceMillis());
            count++;
        }
        if (count > 0) {
            LOG.atInfo()
                    .addKeyValue(LogKeys.PARTITION, read.keySet())
                    .addKeyValue(LogKeys.COUNT, count)
                    .log("took over parked commands");
        }
    }

    /** Leaves what is parked of these partitions to others. */
    void drop(Collection<TopicPartition> lost) {
        queues.values().forEach(queue -> queue.drop(lost));
        lost.forEach(bytes::remove);
        lost.forEach(reserved::remove);
        lost.forEach(full::remove);
        queues.values().removeIf(ParkedQueue::isOver);
    }

    /** Whether commands of an instance are parked. */
    boolean holds(String instance) {
        var queue = queues.get(instance);
        return queue != null && !queue.waiting().isEmpty();
    }

    Collection<ParkedQueue> queues() {
        return queues.values();
    }

    /** The partitions of which nothing is to be polled, as there is no room to park more. */
    Set<TopicPartition> full() {
        long now = System.nanoTime();
        full.entrySet()
                .removeIf(each -> now - each.getValue().sinceNanos() >= PAUSE_NANOS
                        && hasRoom(
                                bytes.getOrDefault(each.getKey(), 0L),
                                each.getValue().needed()));
        return full.keySet();
    }

    /** A batch begins: what the one before has reserved and not committed is polled again. */
    void beginBatch() {
        reserved.clear();
        ended.clear();
    }

    /** Ends a lane: what is not settled of it is parked, or polled again later. */
    void park(Lane lane) {
        lane.end();
        boolean fits = true;
        for (var entry : lane.entries()) {
            if (entry.outcome() == null && entry.held() == Held.NOT && !entry.isAbandoned()) {
                fits = fits && reserve(entry);
                entry.hold(fits ? Held.PARKED : Held.LEFT);
                if (!fits) {
                    full.put(entry.partition(), new Full(bytes(entry), System.nanoTime()));
                }
            }
        }
        var instance = lane.entries().get(0).instance();
        if (instance != null) {
            ended.put(instance, lane);
        }
    }

    /** Whether a command may be parked at all, now or when there is room. */
    boolean isParkable(Entry entry) {
        return entry.instance() != null
                && entry.message().partition() < partitions
                && entry.parked().bytes() <= LARGEST_RECORD;
    }

    /** One command always fits. */
    private boolean reserve(Entry entry) {
        long needed = bytes(entry);
        long taken = bytes.getOrDefault(entry.partition(), 0L) + reserved.getOrDefault(entry.partition(), 0L);
        if (!isParkable(entry) || !hasRoom(taken, needed)) {
            return false;
        }
        reserved.merge(entry.partition(), needed, Long::sum);
        return true;
    }

    private boolean hasRoom(long taken, long needed) {
        return taken == 0 || taken + needed <= share();
    }

    /** The part of the memory for one partition, whichever member has that partition. */
    private long share() {
        return mostBytes / Math.max(1, partitions);
    }

    private static long bytes(Entry entry) {
        return COPIES * entry.parked().bytes();
    }

    /** Parked commands whose results are known and not committed, by partition. */
    Map<TopicPartition, Committable> finished(Function<TopicPartition, @Nullable Long> offsets) {
        Map<TopicPartition, List<Entry>> finished = new LinkedHashMap<>();
        for (var queue : queues.values()) {
            for (var entry : queue.settled()) {
                finished.computeIfAbsent(entry.partition(), first -> new ArrayList<>())
                        .add(entry);
            }
        }
        Map<TopicPartition, Committable> result = new LinkedHashMap<>();
        finished.forEach((partition, entries) -> {
            var offset = offsets.apply(partition);
            if (offset != null) {
                result.put(partition, Committable.ofFinished(offset, entries));
            }
        });
        return result;
    }

    /** The records by which commands become parked or are finished. */
    List<ProducerRecord<byte[], byte[]>> records(Committable done) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        done.toPark().forEach(entry -> records.add(entry.parked().toRecord(log.topic())));
        done.finished().forEach(entry -> records.add(entry.parked().toFinish(log.topic())));
        return records;
    }

    /** These are committed. */
    void committed(Collection<Committable> all) {
        for (var done : all) {
            queues.values().forEach(queue -> queue.remove(done.finished()));
            done.finished().forEach(entry -> bytes.merge(entry.partition(), -bytes(entry), Long::sum));
            for (var entry : done.toPark()) {
                add(entry, clock.millis());
                LOG.atWarn()
                        .addKeyValue(LogKeys.COMMAND, entry.command().commandId())
                        .addKeyValue(LogKeys.INSTANCE, entry.instance())
                        .log("parked a command, as the store does not take it now; it will be tried again");
            }
        }
        ended.clear();
        queues.values().removeIf(ParkedQueue::isOver);
    }

    private void add(Entry entry, long sinceMillis) {
        var instance = entry.instance();
        var name = instance == null ? entry.parked().place() : instance;
        var queue = queues.computeIfAbsent(name, ParkedQueue::new);
        queue.add(entry, sinceMillis);
        bytes.merge(entry.partition(), bytes(entry), Long::sum);
        var lane = ended.get(name);
        if (lane != null && queue.underWay() == null) {
            queue.setUnderWay(lane);
        }
    }

    /** The number of parked commands. */
    long count() {
        return queues.values().stream()
                .mapToLong(queue -> queue.waiting().size())
                .sum();
    }

    /** When the command was parked that has been for longest; 0 when none is. */
    long oldestMillis() {
        return queues.values().stream()
                .flatMap(queue -> queue.waiting().stream())
                .mapToLong(ParkedQueue.Waiting::sinceMillis)
                .min()
                .orElse(0);
    }
}
