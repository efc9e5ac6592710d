package io.sluice.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for processes that start later, perhaps repeatedly. They lie below the ephemeral ports, so that no client
 * connection takes one while its broker is down.
 */
final class FreePorts {
    private static final int FIRST = 15_000;
    private static final int END = 32_000;
    private static final int TRIES = 1_000;
    private static final byte[] LOOPBACK_ADDRESS = {127, 0, 0, 1};

    private FreePorts() {}

    /** Two for each member, all different and free a moment ago. */
    static Map<Integer, BrokerSettings.MemberPorts> of(int members) throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        try {
            Map<Integer, BrokerSettings.MemberPorts> ports = new TreeMap<>();
            for (int member = 1; member <= members; member++) {
                ports.put(member, new BrokerSettings.MemberPorts(hold(held), hold(held)));
            }
            return ports;
        } finally {
            for (ServerSocket socket : held) {
                socket.close();
            }
        }
    }

    private static int hold(List<ServerSocket> held) throws IOException {
        IOException last = new IOException("no try");
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            ServerSocket socket = new ServerSocket();
            held.add(socket);
            try {
                socket.bind(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK_ADDRESS), port));
                return port;
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }
}
