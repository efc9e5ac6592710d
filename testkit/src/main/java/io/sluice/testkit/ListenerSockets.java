package io.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.kafka.server.ServerSocketFactory;

/**
 * The listening sockets of a node. They are bound before the configuration that names their ports is written, and
 * passed to the servers: no other process can take a port in between, and a port in use is noticed at once.
 */
final class ListenerSockets implements ServerSocketFactory, AutoCloseable {
    private static final byte[] LOOPBACK_ADDRESS = {127, 0, 0, 1};
    private static final int BACKLOG = 128;

    private final Map<String, ServerSocketChannel> held = new ConcurrentHashMap<>();
    /** By listener, in the order in which they were asked for. */
    private final Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();

    private ListenerSockets(int clientPort, List<String> more) throws IOException {
        hold(BrokerSettings.CLIENT_LISTENER, clientPort);
        hold(BrokerSettings.CONTROLLER_LISTENER, 0);
        for (String listener : more) {
            hold(listener, 0);
        }
    }

    /**
     * @param clientPort 0 for any free one
     * @param more further listeners, on free ports; clients and controller have theirs
     * @throws IllegalStateException when the port is taken
     */
    static ListenerSockets bind(int clientPort, List<String> more) {
        try {
            return new ListenerSockets(clientPort, more);
        } catch (BindException e) {
            throw new IllegalStateException(
                    "an embedded broker can't listen on port " + clientPort + ": it is taken", e);
        } catch (IOException e) {
            throw new UncheckedIOException("an embedded broker can't listen on the loopback address", e);
        }
    }

    private void hold(String listener, int port) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.configureBlocking(false);
            channel.bind(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK_ADDRESS), port), BACKLOG);
            addresses.put(listener, (InetSocketAddress) channel.getLocalAddress());
            held.put(listener, channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            close();
            throw e;
        }
    }

    InetSocketAddress client() {
        return address(BrokerSettings.CLIENT_LISTENER);
    }

    InetSocketAddress controller() {
        return address(BrokerSettings.CONTROLLER_LISTENER);
    }

    InetSocketAddress address(String listener) {
        return Objects.requireNonNull(addresses.get(listener), listener);
    }

    /** The value of {@code listeners}: host names for TLS, since certificates name hosts, else addresses. */
    String listeners() {
        return addresses.entrySet().stream()
                .map(each -> each.getKey() + "://" + host(each.getKey()) + ":"
                        + each.getValue().getPort())
                .collect(Collectors.joining(","));
    }

    static String host(String listener) {
        return listener.endsWith("SSL") ? BrokerNode.LOOPBACK_NAME : BrokerNode.LOOPBACK;
    }

    @Override
    public ServerSocketChannel openServerSocket(
            String listener, InetSocketAddress address, int backlog, int receiveBufferBytes) throws IOException {
        ServerSocketChannel channel = held.remove(listener);
        return channel != null
                ? channel
                : ServerSocketFactory.INSTANCE.openServerSocket(listener, address, backlog, receiveBufferBytes);
    }

    /** Closes the sockets that no server uses; the servers close the others. */
    @Override
    public void close() {
        for (ServerSocketChannel channel : held.values()) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException("a socket of an embedded broker stays open: " + channel, e);
            }
        }
        held.clear();
    }
}
