package io.sluice.relay.ledger.watch;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Connects to a port; for each byte that it gets there, it keeps a megabyte of heap, two of direct memory, two threads,
 * a file and that connection, and connects anew.
 */
final class LeakingProgram {
    private static final int MEGABYTE = 1 << 20;
    private static final int THREADS = 2;

    private final List<Object> kept = new ArrayList<>();
    private final CountDownLatch never = new CountDownLatch(1);

    private LeakingProgram() {}

    public static void main(String[] arguments) throws IOException {
        var program = new LeakingProgram();
        while (true) {
            var socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
            if (socket.getInputStream().read() < 0) {
                return;
            }
            program.leak(socket);
        }
    }

    private void leak(Socket socket) throws IOException {
        kept.add(socket);
        kept.add(Files.newInputStream(Path.of("/dev/null")));
        kept.add(new byte[MEGABYTE]);
        kept.add(ByteBuffer.allocateDirect(2 * MEGABYTE));
        for (int i = 0; i < THREADS; i++) {
            var thread = new Thread(this::hang, "leak");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void hang() {
        try {
            never.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
