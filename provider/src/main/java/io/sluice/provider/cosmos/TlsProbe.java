package io.sluice.provider.cosmos;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Finds out whether a port speaks TLS, by a handshake and nothing more: the SDK's errors don't say, after minutes of
 * tries.
 */
final class TlsProbe {
    /** Its first message takes no keys, which are dear to draw; who speaks a later one alone refuses it by TLS. */
    private static final String[] VERSION = {"TLSv1.2"};

    private TlsProbe() {}

    /** What a port answers with. */
    enum Answer {
        TLS,
        PLAIN,
        /** It did not answer in time, or closed. */
        UNKNOWN
    }

    /** Asks over a connection of its own; takes at most twice the timeout. */
    static Answer ask(String host, int port, Duration timeout) {
        int millis = (int) timeout.toMillis();
        try (Socket plain = new Socket()) {
            plain.connect(new InetSocketAddress(host, port), millis);
            plain.setSoTimeout(millis);
            var factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
            try (SSLSocket tls = (SSLSocket) factory.createSocket(plain, host, port, true)) {
                tls.setEnabledProtocols(VERSION);
                tls.startHandshake();
                return Answer.TLS;
            }
        } catch (SSLHandshakeException e) {
            return isAlert(e) || isAboutTheCertificate(e) ? Answer.TLS : Answer.UNKNOWN;
        } catch (SSLException e) {
            // The bytes that came are no record of TLS.
            return String.valueOf(e.getMessage()).contains("SSL message") ? Answer.PLAIN : Answer.UNKNOWN;
        } catch (IOException e) {
            return Answer.UNKNOWN;
        }
    }

    private static boolean isAlert(SSLHandshakeException failure) {
        return String.valueOf(failure.getMessage()).contains("fatal alert");
    }

    private static boolean isAboutTheCertificate(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return true;
            }
        }
        return false;
    }
}
