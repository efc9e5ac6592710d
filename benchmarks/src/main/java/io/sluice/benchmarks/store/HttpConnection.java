package io.sluice.benchmarks.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A connection that stays open. It reads as little of an answer as possible, so that the emulator's work is measured
 * and not its own. Used by one thread.
 */
public final class HttpConnection implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 * 1024;
    private static final String LENGTH = "\r\ncontent-length: ";

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] buffer = new byte[BUFFER_BYTES];

    /** Connects to an emulator of this machine by its URL. */
    public HttpConnection(String endpoint) {
        try {
            socket = new Socket(
                    InetAddress.getLoopbackAddress(), URI.create(endpoint).getPort());
            socket.setTcpNoDelay(true);
            in = socket.getInputStream();
            out = socket.getOutputStream();
        } catch (IOException e) {
            throw new UncheckedIOException("No connection to " + endpoint, e);
        }
    }

    /**
     * Sends a request and reads its answer.
     *
     * @return the answer's head: status line and headers
     * @throws IllegalStateException when the status is not of success
     */
    public String exchange(byte[] request) {
        try {
            out.write(request);
            return answer();
        } catch (IOException e) {
            throw new UncheckedIOException("The emulator hung up", e);
        }
    }

    private String answer() throws IOException {
        int filled = 0;
        int end = -1;
        while (end < 0) {
            filled += some(filled);
            end = endOfHead(filled);
        }
        var head = new String(buffer, 0, end, StandardCharsets.ISO_8859_1);
        int left = length(head) - (filled - end);
        while (left > 0) {
            left -= some(0);
        }
        if (!head.startsWith("HTTP/1.1 2")) {
            throw new IllegalStateException("The emulator refused a request: " + head);
        }
        return head;
    }

    private int some(int at) throws IOException {
        int read = in.read(buffer, at, buffer.length - at);
        if (read <= 0) {
            throw new IOException("end of the connection");
        }
        return read;
    }

    private int endOfHead(int filled) {
        for (int i = 3; i < filled; i++) {
            if (buffer[i] == '\n' && buffer[i - 1] == '\r' && buffer[i - 2] == '\n') {
                return i + 1;
            }
        }
        return -1;
    }

    private static int length(String head) {
        int at = head.indexOf(LENGTH);
        if (at < 0) {
            at = head.toLowerCase(Locale.ROOT).indexOf(LENGTH);
        }
        return at < 0
                ? 0
                : Integer.parseInt(head.substring(at + LENGTH.length(), head.indexOf('\r', at + LENGTH.length())));
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("A connection can't be closed", e);
        }
    }
}
