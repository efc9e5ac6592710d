package io.sluice.client;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.MetadataRecoveryStrategy;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends commands to orchestrations by {@code <prefix>.commands}, and awaits how they ended.
 *
 * <pre>{@code
 * var config = ClientConfig.of("broker-1:9092", "orders").withReplyTopic("orders.replies.shop");
 * try (var client = SluiceClient.open(config)) {
 *     var reply = client.ask(new Command.Start("order-17", "Order", "{}"), CommandOptions.ofId("start-order-17"))
 *             .reply()
 *             .get();
 * }
 * }</pre>
 *
 * <p><b>Once.</b> A command is carried out once per instance and id, however often it is sent. After a
 * {@link CommandException} or a crash, send it again under the same id: for seven days it gets the same reply.
 *
 * <p><b>Order.</b> Commands to one instance that one thread sends are taken in that order; one that failed and is sent
 * again comes after those sent meanwhile.
 *
 * <p><b>Concurrency.</b> Thread-safe; one client serves a whole process, with one producer and, where there is a reply
 * topic, two threads that read it and the dead letters. Futures end in the common pool, so their continuations may
 * block. Cancelling a future does not cancel its command.
 *
 * <p>The producer is idempotent and waits for all replicas; sending may block for {@code max.block.ms} (Kafka's
 * setting) while its buffer is full.
 */
public final class SluiceClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SluiceClient.class);
    /** A command, its headers, and some room. */
    private static final int MAX_REQUEST_BYTES = 4 * 1024 * 1024;

    private static final CommandIds IDS = new CommandIds();

    private final ClientConfig config;
    private final Producer<byte[], byte[]> producer;
    private final @Nullable ReplyListener listener;
    private final PendingReplies pending;
    private volatile boolean closed;

    private SluiceClient(
            ClientConfig config,
            Producer<byte[], byte[]> producer,
            @Nullable ReplyListener listener,
            PendingReplies pending) {
        this.config = config;
        this.producer = producer;
        this.listener = listener;
        this.pending = pending;
    }

    /**
     * Connects. Returns when no reply can be missed any more.
     *
     * <p>A reply topic that the relay does not allow is refused here rather than warned of: the relay would make a dead
     * letter of every command. What else the relay has against the topic, it tells by these dead letters: where this
     * client may read {@code <prefix>.dead-letters}, the caller gets a {@link Reply.Rejected} with the reason at
     * once, else a {@link CommandException.NoReply} after the reply timeout.
     *
     * @throws ClientStartException when the reply topic is none of {@link ClientConfig#allowedReplyTopics}, Kafka does
     *     not answer in time, or the commands or reply topic is missing; nothing is left running
     */
    public static SluiceClient open(ClientConfig config) {
        var fault = config.replyTopicFault();
        if (fault != null) {
            throw new ClientStartException(fault, null);
        }
        var deadLettersFault = TopicCheck.requireTopics(config);
        var pending = new PendingReplies();
        var topic = config.replyTopic();
        var listener = topic == null ? null : new ReplyListener(config, topic, pending, deadLettersFault);
        try {
            if (listener != null) {
                listener.start();
            }
            var client = new SluiceClient(config, newProducer(config), listener, pending);
            LOG.atInfo()
                    .addKeyValue("commands", config.commandsTopic())
                    .addKeyValue("replies", topic)
                    .log("client opened");
            return client;
        } catch (KafkaException e) {
            if (listener != null) {
                listener.close();
            }
            throw TopicCheck.unanswered(config, e);
        }
    }

    private static Producer<byte[], byte[]> newProducer(ClientConfig config) {
        Map<String, Object> settings = new HashMap<>(config.kafkaSettings());
        settings.putIfAbsent(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_BYTES);
        // Keeps the addresses of unreachable brokers: otherwise every caller would block for up to a minute, while now
        // its command waits in the buffer.
        settings.putIfAbsent(CommonClientConfigs.METADATA_RECOVERY_STRATEGY_CONFIG, MetadataRecoveryStrategy.NONE.name);
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /**
     * A new command id: a UUID of version 7, greater than those before it. Store it with the data that the command is
     * about: after a crash the command can then be sent again under it.
     */
    public static String newCommandId() {
        return IDS.next();
    }

    /**
     * Sends a command under a new id, without awaiting a reply.
     *
     * @return where it stands, once all replicas have it; fails with {@link CommandException}
     * @throws IllegalArgumentException when it is too large
     */
    public CompletableFuture<SentCommand> send(Command command) {
        return send(command, CommandOptions.DEFAULT);
    }

    /**
     * Sends a command, without awaiting a reply.
     *
     * @return where it stands, once all replicas have it; fails with {@link CommandException}
     * @throws IllegalArgumentException when it is too large
     */
    public CompletableFuture<SentCommand> send(Command command, CommandOptions options) {
        var commandId = idOf(options);
        return dispatch(commandId, CommandJson.message(config.commandsTopic(), command, commandId, options, null));
    }

    /**
     * Sends a command under a new id and awaits how it ended.
     *
     * @throws IllegalArgumentException when it is too large
     * @throws IllegalStateException when the client was opened without a reply topic
     */
    public AskedCommand ask(Command command) {
        return ask(command, CommandOptions.DEFAULT);
    }

    /**
     * Sends a command and awaits how it ended.
     *
     * @throws IllegalArgumentException when it is too large
     * @throws IllegalStateException when the client was opened without a reply topic
     */
    public AskedCommand ask(Command command, CommandOptions options) {
        var replies = listener;
        if (replies == null) {
            throw new IllegalStateException("a client without a reply topic can't await replies; open it with one");
        }
        var commandId = idOf(options);
        var message = CommandJson.message(config.commandsTopic(), command, commandId, options, config.replyTopic());
        var timeout = options.replyTimeout() == null ? config.replyTimeout() : options.replyTimeout();
        var reply = pending.await(commandId, command.instance(), timeout, () -> replies.noReply(commandId, timeout));
        var sent = dispatch(commandId, message);
        var unused = sent.whenComplete((position, failure) -> {
            if (failure instanceof CommandException) {
                reply.completeExceptionally(failure);
            }
        });
        return new AskedCommand(commandId, sent, reply);
    }

    private static String idOf(CommandOptions options) {
        var given = options.commandId();
        return given == null ? newCommandId() : given;
    }

    private CompletableFuture<SentCommand> dispatch(String commandId, ProducerRecord<byte[], byte[]> message) {
        var sent = new CompletableFuture<SentCommand>();
        if (closed) {
            fail(sent, new CommandException.Closed(commandId, false));
            return sent;
        }
        var caller = Thread.currentThread();
        try {
            var unused = producer.send(message, (position, failure) -> {
                if (failure == null) {
                    var unusedToo = sent.completeAsync(() ->
                            new SentCommand(commandId, position.topic(), position.partition(), position.offset()));
                } else {
                    // The producer reports a failure in the calling thread when it has not accepted the command.
                    boolean accepted = !Thread.currentThread().equals(caller);
                    boolean mayBeApplied = accepted && !(failure instanceof RecordTooLargeException);
                    fail(sent, new CommandException.NotSent(commandId, mayBeApplied, failure));
                }
            });
        } catch (KafkaException | IllegalStateException e) {
            fail(
                    sent,
                    closed
                            ? new CommandException.Closed(commandId, false)
                            : new CommandException.NotSent(commandId, false, e));
        }
        return sent;
    }

    private static void fail(CompletableFuture<SentCommand> sent, CommandException failure) {
        sent.defaultExecutor().execute(() -> sent.completeExceptionally(failure));
    }

    /**
     * Takes no more commands, waits for the acknowledgement of those on their way (at most the time to close), and ends
     * all futures: who still waits for a reply gets {@link CommandException.Closed}. Closing again does nothing.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            producer.close(config.closeTimeout());
        } finally {
            if (listener != null) {
                listener.close();
            }
            pending.endAll();
        }
        LOG.atInfo().addKeyValue("commands", config.commandsTopic()).log("client closed");
    }
}
