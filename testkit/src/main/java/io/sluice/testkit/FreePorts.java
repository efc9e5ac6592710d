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
 * connection takes one while its server is down.
 */
public final class FreePorts {
    private static final int FIRST = 15_000;
    private static final int END = 32_000;
    private static final int TRIES = 1_000;
    private static final byte[] LOOPBACK_ADDRESS = {127, 0, 0, 1};

    private FreePorts() {}

    /** Two for each member. */
    static Map<Integer, BrokerSettings.MemberPorts> ofMembers(int members) throws IOException {
        List<Integer> ports = of(2 * members);
        Map<Integer, BrokerSettings.MemberPorts> ofMembers = new TreeMap<>();
        for (int i = 0; i < members; i++) {
            ofMembers.put(i + 1, new BrokerSettings.MemberPorts(ports.get(2 * i), ports.get(2 * i + 1)));
        }
        return ofMembers;
    }

    /**
     * So many, all different and free a moment ago.
     *
     * @throws IOException when none is found
     */
    public static List<Integer> of(int count) throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        try {
            List<Integer> ports = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ports.add(hold(held));
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
