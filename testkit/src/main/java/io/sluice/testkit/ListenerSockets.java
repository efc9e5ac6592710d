package io.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.server.ServerSocketFactory;

/**
 * The two listening sockets of a node, bound before the configuration that names their ports is written, and handed over
 * when the servers open them: no other process can take a port in between, and one taken before is known at once.
 */
final class ListenerSockets implements ServerSocketFactory, AutoCloseable {
    private static final byte[] LOOPBACK_ADDRESS = {127, 0, 0, 1};
    private static final int BACKLOG = 128;

    private final Map<String, ServerSocketChannel> held = new ConcurrentHashMap<>();
    private final InetSocketAddress client;
    private final InetSocketAddress controller;

    private ListenerSockets(int clientPort) throws IOException {
        client = hold(BrokerSettings.CLIENT_LISTENER, clientPort);
        controller = hold(BrokerSettings.CONTROLLER_LISTENER, 0);
    }

    /**
     * @param clientPort 0 for any free one
     * @throws IllegalStateException when the port is taken
     */
    static ListenerSockets bind(int clientPort) {
        try {
            return new ListenerSockets(clientPort);
        } catch (BindException e) {
            throw new IllegalStateException(
                    "an embedded broker can't listen on port " + clientPort + ": it is taken", e);
        } catch (IOException e) {
            throw new UncheckedIOException("an embedded broker can't listen on the loopback address", e);
        }
    }

    private InetSocketAddress hold(String listener, int port) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.configureBlocking(false);
            channel.bind(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK_ADDRESS), port), BACKLOG);
            InetSocketAddress address = (InetSocketAddress) channel.getLocalAddress();
            held.put(listener, channel);
            return address;
        } catch (IOException | RuntimeException e) {
            channel.close();
            close();
            throw e;
        }
    }

    InetSocketAddress client() {
        return client;
    }

    InetSocketAddress controller() {
        return controller;
    }

    @Override
    public ServerSocketChannel openServerSocket(
            String listener, InetSocketAddress address, int backlog, int receiveBufferBytes) throws IOException {
        ServerSocketChannel channel = held.remove(listener);
        return channel != null
                ? channel
                : ServerSocketFactory.INSTANCE.openServerSocket(listener, address, backlog, receiveBufferBytes);
    }

    /** Closes the sockets no server took over; the others are closed by their servers. */
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
