package io.sluice.emulator;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * One connection to an emulator or account, byte by byte: whatever it sends, it reads what an HTTP client would. Not
 * thread-safe.
 */
public final class RawConnection implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 60_000;
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private final Socket socket;
    private final InputStream in;

    RawConnection(int port) throws IOException {
        this(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    /** To who answers at an endpoint; over TLS, if that says so, with a certificate that the JVM trusts. */
    public RawConnection(URI endpoint) throws IOException {
        this(socketTo(endpoint));
    }

    private RawConnection(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    private static Socket socketTo(URI endpoint) throws IOException {
        if (!endpoint.getScheme().equals("https")) {
            return new Socket(endpoint.getHost(), endpoint.getPort() < 0 ? HTTP_PORT : endpoint.getPort());
        }
        var socket = (SSLSocket) SSLSocketFactory.getDefault()
                .createSocket(endpoint.getHost(), endpoint.getPort() < 0 ? HTTPS_PORT : endpoint.getPort());
        var parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        return socket;
    }

    /** An answer; header names are in lower case. */
    public record Answer(int status, Map<String, String> headers, ByteBuffer body) {
        /** The body as text. */
        public String text() {
            return StandardCharsets.UTF_8.decode(body.duplicate()).toString();
        }

        String header(String name) {
            return headers.getOrDefault(name, "");
        }
    }

    /**
     * Sends a request and reads its answer.
     *
     * @return null when the connection ended instead
     */
    public @Nullable Answer send(byte[] request) throws IOException {
        try {
            socket.getOutputStream().write(request);
            return answer();
        } catch (java.net.SocketException ended) {
            return null;
        }
    }

    /** The same, saying that nothing more will come. */
    @Nullable
    Answer sendLast(byte[] request) throws IOException {
        try {
            socket.getOutputStream().write(request);
            socket.shutdownOutput();
            return answer();
        } catch (java.net.SocketException ended) {
            return null;
        }
    }

    private @Nullable Answer answer() throws IOException {
        var statusLine = line();
        if (statusLine.isEmpty()) {
            return null;
        }
        int status = Integer.parseInt(statusLine.split(" ", 3)[1]);
        var headers = new LinkedHashMap<String, String>();
        for (var header = line(); !header.isEmpty(); header = line()) {
            int colon = header.indexOf(':');
            headers.put(
                    header.substring(0, colon).toLowerCase(Locale.ROOT),
                    header.substring(colon + 1).trim());
        }
        if (status == 100) {
            return answer();
        }
        return new Answer(status, headers, ByteBuffer.wrap(body(status, headers)));
    }

    private byte[] body(int status, Map<String, String> headers) throws IOException {
        if (status == 204 || status == 304) {
            return new byte[0];
        }
        if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
            var whole = new ByteArrayOutputStream();
            for (int size = chunkSize(); size > 0; size = chunkSize()) {
                whole.writeBytes(exactly(size));
                line();
            }
            line();
            return whole.toByteArray();
        }
        return exactly(Integer.parseInt(headers.getOrDefault("content-length", "0")));
    }

    private int chunkSize() throws IOException {
        return Integer.parseInt(line().trim(), 16);
    }

    private byte[] exactly(int length) throws IOException {
        var bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("an answer ended after " + bytes.length + " of " + length + " bytes");
        }
        return bytes;
    }

    /** A line without its end; empty at the end of the connection. */
    private String line() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            if (next != '\r') {
                line.write(next);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
