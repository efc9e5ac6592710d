package io.sluice.relay.ledger.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.requests.EndTxnRequest;
import org.apache.kafka.common.requests.RequestHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands between Kafka's clients and a broker on 127.0.0.1: loses answers to commits, and goes away altogether. The
 * broker's address in its answers is replaced by the proxy's, so that clients stay with it. Thread-safe.
 */
public final class KafkaProxy implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaProxy.class);
    private static final String HOST = "127.0.0.1";
    private static final byte[] HOST_BYTES = HOST.getBytes(US_ASCII);

    private final int brokerPort;
    private final ServerSocket server;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final AtomicInteger answersToLose = new AtomicInteger();
    private final AtomicInteger doubtsToRaise = new AtomicInteger();
    private final Map<String, Long> doubtedUntilNanos = new ConcurrentHashMap<>();
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile long doubtNanos;
    private volatile Function<ApiKeys, Loss> judge = request -> Loss.NONE;
    private volatile boolean away;

    /** What becomes of a request. */
    public enum Loss {
        /** It is answered. */
        NONE,
        /** It never arrives. */
        REQUEST,
        /** It arrives, and its answer doesn't. */
        ANSWER
    }

    private KafkaProxy(int brokerPort, ServerSocket server) {
        this.brokerPort = brokerPort;
        this.server = server;
    }

    /** Listens on a free port for clients of the broker at that address. */
    public static KafkaProxy before(String bootstrapServers) {
        int port = Integer.parseInt(bootstrapServers.substring(bootstrapServers.indexOf(':') + 1));
        try {
            var proxy = new KafkaProxy(port, new ServerSocket(0, 128, InetAddress.getLoopbackAddress()));
            daemon(proxy::accept, "kafka-proxy");
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void daemon(Runnable task, String name) {
        var thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Where clients go. */
    public String bootstrapServers() {
        return HOST + ":" + server.getLocalPort();
    }

    /** From now on each request is judged; what is lost is lost with its connection. */
    public void judge(Function<ApiKeys, Loss> newJudge) {
        judge = newJudge;
    }

    /** The broker commits the next transaction of a history, and its answer is lost with the connection. */
    public void loseAnswerToNextCommit() {
        answersToLose.incrementAndGet();
    }

    /**
     * The same, and so are the answers to every repetition, for long enough that the client gives up and doesn't know.
     */
    public void leaveNextCommitInDoubt(Duration duration) {
        doubtNanos = duration.toNanos();
        doubtsToRaise.incrementAndGet();
    }

    /** Commits whose answer was lost; those in doubt count once. */
    public int lostAnswers() {
        return unanswered.get();
    }

    /** Cuts all connections and takes no new ones, or takes them again. */
    public void away(boolean isAway) {
        away = isAway;
        if (isAway) {
            links.forEach(Link::cut);
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                var client = server.accept();
                if (away) {
                    client.close();
                } else {
                    open(client);
                }
            } catch (IOException e) {
                LOG.atDebug().setCause(e).log("no connection made");
            }
        }
    }

    private void open(Socket client) throws IOException {
        try {
            var link = new Link(client, new Socket(InetAddress.getLoopbackAddress(), brokerPort));
            links.add(link);
            daemon(() -> link.pump(client, link.broker, link::request), "kafka-requests");
            daemon(() -> link.pump(link.broker, client, link::answer), "kafka-answers");
        } catch (IOException e) {
            client.close();
            throw e;
        }
    }

    /** Whether the answer to this commit is to be lost. */
    private boolean isToLose(String transactionalId) {
        long now = System.nanoTime();
        if (doubtsToRaise.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            doubtedUntilNanos.put(transactionalId, now + doubtNanos);
            unanswered.incrementAndGet();
        }
        var until = doubtedUntilNanos.get(transactionalId);
        if (until != null && now - until < 0) {
            return true;
        }
        boolean isLost = answersToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        if (isLost) {
            unanswered.incrementAndGet();
        }
        return isLost;
    }

    @Override
    public void close() throws IOException {
        server.close();
        links.forEach(Link::cut);
    }

    /** What is done with a message on its way. */
    private interface Passing {
        /** Whether it goes on; else the connection ends. */
        boolean passes(byte[] message);
    }

    private final class Link {
        private final Socket client;
        private final Socket broker;
        private final Set<Integer> doomed = ConcurrentHashMap.newKeySet();

        private Link(Socket client, Socket broker) throws IOException {
            this.client = client;
            this.broker = broker;
            client.setTcpNoDelay(true);
            broker.setTcpNoDelay(true);
        }

        private void pump(Socket from, Socket to, Passing passing) {
            try (var in = new DataInputStream(from.getInputStream());
                    var out = new DataOutputStream(to.getOutputStream())) {
                while (true) {
                    var message = new byte[in.readInt()];
                    in.readFully(message);
                    if (!passing.passes(message)) {
                        return;
                    }
                    var framed = ByteBuffer.allocate(Integer.BYTES + message.length);
                    out.write(framed.putInt(message.length).put(message).array());
                    out.flush();
                }
            } catch (IOException e) {
                LOG.atDebug().setCause(e).log("connection ended");
            } finally {
                cut();
            }
        }

        private boolean request(byte[] message) {
            var loss = judge.apply(ApiKeys.forId(ByteBuffer.wrap(message).getShort()));
            if (loss == Loss.ANSWER) {
                doomed.add(ByteBuffer.wrap(message).getInt(2 * Short.BYTES));
            }
            doomCommit(message);
            return loss != Loss.REQUEST;
        }

        private void doomCommit(byte[] message) {
            if (ByteBuffer.wrap(message).getShort() == ApiKeys.END_TXN.id) {
                var buffer = ByteBuffer.wrap(message);
                var header = RequestHeader.parse(buffer);
                var end = EndTxnRequest.parse(new ByteBufferAccessor(buffer), header.apiVersion())
                        .data();
                if (end.committed() && end.transactionalId().contains("-history-") && isToLose(end.transactionalId())) {
                    doomed.add(header.correlationId());
                }
            }
        }

        private boolean answer(byte[] message) {
            if (doomed.remove(ByteBuffer.wrap(message).getInt())) {
                return false;
            }
            replacePort(message);
            return true;
        }

        /** Host and port stand side by side wherever an answer names a broker. */
        private void replacePort(byte[] message) {
            var buffer = ByteBuffer.wrap(message);
            for (int at = 0; at <= message.length - HOST_BYTES.length - Integer.BYTES; at++) {
                int portAt = at + HOST_BYTES.length;
                if (message[at] == HOST_BYTES[0]
                        && ByteBuffer.wrap(message, at, HOST_BYTES.length).equals(ByteBuffer.wrap(HOST_BYTES))
                        && buffer.getInt(portAt) == brokerPort) {
                    buffer.putInt(portAt, server.getLocalPort());
                }
            }
        }

        private void cut() {
            links.remove(this);
            for (var socket : new Socket[] {client, broker}) {
                try {
                    socket.close();
                } catch (IOException e) {
                    LOG.atDebug().setCause(e).log("socket was closed already");
                }
            }
        }
    }
}
