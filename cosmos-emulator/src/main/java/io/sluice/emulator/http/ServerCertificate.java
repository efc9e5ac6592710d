package io.sluice.emulator.http;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLException;

/**
 * What the server shows of itself under TLS.
 *
 * @param chainPem its certificate, and those that signed it
 * @param keyPem its private key in PKCS#8, without a password
 */
public record ServerCertificate(String chainPem, String keyPem) {
    SslContext context() {
        try {
            return SslContextBuilder.forServer(stream(chainPem), stream(keyPem)).build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalStateException("The emulator's certificate or key can't be used for TLS", e);
        }
    }

    private static ByteArrayInputStream stream(String pem) {
        return new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "ServerCertificate[" + chainPem.length() + " characters]";
    }
}
