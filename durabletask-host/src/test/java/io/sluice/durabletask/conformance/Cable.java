package io.sluice.durabletask.conformance;

import io.sluice.durabletask.dispatch.DaemonThreads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A TCP connection that a test can cut, or let fall silent. Thread-safe. */
final class Cable implements AutoCloseable {
    private static final int BUFFER = 16 * 1024;

    private final ServerSocket entrance;
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final ExecutorService pumps = Executors.newCachedThreadPool(DaemonThreads.named("cable"));
    private volatile boolean frozen;

    private Cable(int target) throws IOException {
        this.target = target;
        this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        pumps.execute(this::accept);
    }

    static Cable to(int port) throws IOException {
        return new Cable(port);
    }

    int port() {
        return entrance.getLocalPort();
    }

    private void accept() {
        try {
            while (!entrance.isClosed()) {
                Socket near = entrance.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                // Whenever it is closed it is reset: no good-bye is sent.
                near.setSoLinger(true, 0);
                far.setSoLinger(true, 0);
                sockets.add(near);
                sockets.add(far);
                pumps.execute(() -> pump(near, far));
                pumps.execute(() -> pump(far, near));
            }
        } catch (IOException e) {
            // The entrance was closed: nobody can connect any more.
            closeSockets();
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (!frozen) {
                    out.write(buffer, 0, read);
                    out.flush();
                }
            }
        } catch (IOException e) {
            // One end has gone, so has the cable.
            closeSockets();
        }
    }

    /** Resets the connections. */
    void cut() {
        closeSockets();
    }

    /** Nothing passes any more, but the connections stay. */
    void freeze() {
        frozen = true;
    }

    private void closeSockets() {
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new AssertionError("a socket of this process can't be closed", e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        entrance.close();
        closeSockets();
        pumps.shutdownNow();
    }
}
