package io.sluice.durabletask;

import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a server shows to its clients, and asks of them. */
final class Credentials {
    private static final long RELOAD_SECONDS = 60;

    private Credentials() {}

    /**
     * The credentials; certificates are read again each minute.
     *
     * @param tls null for plain text
     */
    static ServerCredentials of(@Nullable ServerTls tls, ScheduledExecutorService timer)
            throws IOException, GeneralSecurityException {
        if (tls == null) {
            return InsecureServerCredentials.create();
        }
        AdvancedTlsX509KeyManager identity = new AdvancedTlsX509KeyManager();
        // Ends with the timer.
        var unused = identity.updateIdentityCredentials(
                readable(tls.certificate()), readable(tls.key()), RELOAD_SECONDS, TimeUnit.SECONDS, timer);
        TlsServerCredentials.Builder credentials =
                TlsServerCredentials.newBuilder().keyManager(identity);
        if (tls.clientAuthorities() != null) {
            AdvancedTlsX509TrustManager authorities = AdvancedTlsX509TrustManager.newBuilder()
                    .setVerification(AdvancedTlsX509TrustManager.Verification.CERTIFICATE_ONLY_VERIFICATION)
                    .build();
            var unusedToo = authorities.updateTrustCredentials(
                    readable(tls.clientAuthorities()), RELOAD_SECONDS, TimeUnit.SECONDS, timer);
            credentials
                    .trustManager(new UnnamedAuthorities(authorities))
                    .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE);
        }
        return credentials.build();
    }

    private static File readable(Path file) throws IOException {
        if (!Files.isReadable(file)) {
            throw new NoSuchFileException(file.toString(), null, "no file that can be read");
        }
        return file.toFile();
    }
}
