package io.sluice.relay.command;

import io.sluice.provider.outbox.CommandInbox;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.loop.Loop;
import io.sluice.relay.loop.RetryBackoff;
import io.sluice.relay.loop.StopRequest;
import io.sluice.relay.loop.Threads;
import io.sluice.relay.topic.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/**
 * Takes commands from {@code <prefix>.commands} into orchestrator queues. A receipt in the instance's partition makes
 * each command effective once, also after it was consumed. Replies are sent first; then one transaction commits the
 * offsets of the settled prefix and the dead letters of that prefix. Kafka refuses it when the group has assigned the
 * partitions to another member.
 *
 * <p>{@link #start} and {@link #close} are idempotent; close returns when the commands under way are settled and
 * committed and the group is left, or the drain timeout is over.
 */
public final class CommandIntake implements AutoCloseable {
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);
    private static final CommandStatus NOTHING = new CommandStatus(0, 0, 0, null);

    private final KafkaAccess kafka;
    private final Topics topics;
    private final Inbox inbox;
    private final Settings settings;
    private final InstantSource clock;
    private final PipelineControl control;
    private final RelayMemory memory;
    /** Read without the monitor, which closing holds for as long as it takes. */
    private volatile @Nullable Running running;

    private record Running(CommandConsumer member, Admin admin, Loop loop, ExecutorService workers, StopRequest stop) {}

    /**
     * How commands are taken.
     *
     * @param concurrency instances processed at a time
     * @param maxAge older commands are refused
     * @param longestBackoff between attempts while the store fails
     * @param drainTimeout how long closing waits for commands under way
     * @param replyTopics names of the topics that replies may go to; a {@code *} at the end stands for any rest
     */
    public record Settings(
            int concurrency,
            Duration maxAge,
            Duration longestBackoff,
            Duration drainTimeout,
            List<String> replyTopics) {
        public Settings {
            replyTopics = List.copyOf(replyTopics);
        }
    }

    /**
     * Joins nothing yet.
     *
     * @param memory limits the heap for commands
     */
    public CommandIntake(
            KafkaAccess kafka,
            Topics topics,
            CommandInbox inbox,
            Settings settings,
            InstantSource clock,
            PipelineControl control,
            RelayMemory memory) {
        this(kafka, topics, Inbox.of(inbox), settings, clock, control, memory);
    }

    CommandIntake(
            KafkaAccess kafka,
            Topics topics,
            Inbox inbox,
            Settings settings,
            InstantSource clock,
            PipelineControl control) {
        this(kafka, topics, inbox, settings, clock, control, RelayMemory.ofHeap());
    }

    CommandIntake(
            KafkaAccess kafka,
            Topics topics,
            Inbox inbox,
            Settings settings,
            InstantSource clock,
            PipelineControl control,
            RelayMemory memory) {
        this.memory = memory;
        this.control = control;
        this.kafka = kafka;
        this.topics = topics;
        this.inbox = inbox;
        this.settings = settings;
        this.clock = clock;
    }

    /** Joins the group. */
    public synchronized void start() {
        if (running != null) {
            return;
        }
        var stop = new StopRequest();
        var backoff = new RetryBackoff(FIRST_BACKOFF, settings.longestBackoff(), new Random());
        // An instance whose partition is away makes its whole batch wait: meanwhile every answer of the store is a
        // heartbeat.
        var worker =
                new CommandWorker(inbox.withCallback(control::beat), settings.maxAge(), backoff, clock, stop, memory);
        var workers = Executors.newFixedThreadPool(settings.concurrency(), Threads.named("sluice-command"));
        var admin = kafka.adminForReading();
        var member = consumer(admin, worker, workers);
        var loop = new Loop("sluice-commands", () -> step(member), settings.drainTimeout());
        running = new Running(member, admin, loop, workers, stop);
        loop.start();
    }

    private CommandConsumer consumer(Admin admin, CommandWorker worker, Executor workers) {
        var consumer = kafka.groupMember(topics.commandsGroup(), "none");
        var partitions = new CommandPartitions(consumer, new TopicIds(admin, topics.commands()), clock);
        var allowed = new AllowedReplyTopics(settings.replyTopics());
        var replyTopics = new ReplyTopics(new ReplyRights(admin)::fault, topics, allowed, clock);
        return new CommandConsumer(
                new CommandPoller(consumer, topics.commands(), partitions, control, memory),
                new BatchSettler(consumer, partitions, replyTopics, worker, workers),
                new BatchCommitter(
                        consumer,
                        partitions,
                        new ReplySender(kafka, replyTopics),
                        new CommandTransactions(kafka, topics)),
                partitions,
                new IntakeTrouble(kafka, topics, clock));
    }

    /**
     * The heartbeat comes also after a step that failed: a restart would not help where Kafka or the store refuses
     * something.
     */
    private Duration step(CommandConsumer consumer) throws InterruptedException {
        try {
            return consumer.step();
        } finally {
            control.beat();
        }
    }

    /** The counts so far. */
    public CommandStatus status() {
        var now = running;
        return now == null ? NOTHING : now.member().status();
    }

    @Override
    public synchronized void close() {
        if (running != null) {
            running.stop().request();
            running.loop().close();
            Threads.drain(running.workers(), settings.drainTimeout());
            try {
                running.member().close();
            } finally {
                running.admin().close(Duration.ZERO);
                running = null;
            }
        }
    }
}
