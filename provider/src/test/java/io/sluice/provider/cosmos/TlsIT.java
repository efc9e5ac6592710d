package io.sluice.provider.cosmos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.CosmosClientBuilder;
import io.sluice.provider.ProviderException;
import io.sluice.provider.contract.Covers;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.TestAuthority;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** An endpoint whose certificate nobody vouches for gets no request, let alone the key. */
@Isolated("the trust store is the JVM's")
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TlsIT {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final String TRUST_STORE = "javax.net.ssl.trustStore";

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @TempDir
    Path folder;

    private TlsFront front;

    @BeforeEach
    void open() throws Exception {
        Path keys = folder.resolve("self-signed.p12");
        TestAuthority.createSelfSigned(keys, PASSWORD, "localhost", "127.0.0.1");
        front = new TlsFront(keys, URI.create(account.requireEmulator().endpoint()));
    }

    @AfterEach
    void close() throws IOException {
        System.clearProperty(TRUST_STORE);
        front.close();
    }

    @Test
    @Covers("wire 52")
    void a_self_signed_certificate_is_refused() {
        var config = new CosmosStoreConfig(front.endpoint(), account.key(), account.database(), account.container());

        assertThatThrownBy(() -> CosmosStore.open(config))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining(front.endpoint())
                .hasMessageContaining("certificate")
                .hasMessageContaining("trust store");
        assertThat(front.bytesForwarded()).as("nothing was said to it").isZero();
    }

    @Test
    @Covers("wire 52")
    void the_same_certificate_is_taken_once_it_is_trusted() {
        CosmosStore.provision(
                new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container()));
        System.setProperty(TRUST_STORE, folder.resolve("self-signed.p12").toString());
        System.setProperty(TRUST_STORE + "Password", new String(PASSWORD));
        // The emulator names its plain address, which would be the next one asked.
        var builder = new CosmosClientBuilder()
                .endpoint(front.endpoint())
                .key(account.key())
                .gatewayMode()
                .endpointDiscoveryEnabled(false);

        try (CosmosStore store =
                CosmosStore.open(CosmosStoreConfig.of(builder, account.database(), account.container()))) {
            assertThat(store.differences()).isEmpty();
        } finally {
            System.clearProperty(TRUST_STORE + "Password");
        }
        assertThat(front.bytesForwarded()).isPositive();
    }

    /** Ends TLS and passes on what it hears. */
    private static final class TlsFront implements AutoCloseable {
        private final ServerSocket server;
        private final URI behind;
        private final ExecutorService threads = Executors.newCachedThreadPool();
        private final AtomicLong forwarded = new AtomicLong();

        TlsFront(Path keys, URI behind) throws IOException, GeneralSecurityException {
            this.behind = behind;
            KeyStore store = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(keys)) {
                store.load(in, PASSWORD);
            }
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(store, PASSWORD);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            server = context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
            threads.execute(this::accept);
        }

        String endpoint() {
            return "https://localhost:" + server.getLocalPort() + "/";
        }

        long bytesForwarded() {
            return forwarded.get();
        }

        private void accept() {
            while (!server.isClosed()) {
                try {
                    Socket front = server.accept();
                    Socket back = new Socket(behind.getHost(), behind.getPort());
                    for (List<Socket> way : List.of(List.of(front, back), List.of(back, front))) {
                        threads.execute(() -> pass(way.get(0), way.get(1)));
                    }
                } catch (IOException e) {
                    if (!server.isClosed()) {
                        throw new UncheckedIOException(e);
                    }
                }
            }
        }

        private void pass(Socket from, Socket to) {
            try (from;
                    to) {
                byte[] buffer = new byte[8_192];
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    forwarded.addAndGet(read);
                    out.write(buffer, 0, read);
                    out.flush();
                }
            } catch (IOException e) {
                // One side hung up, or would not shake hands: both ways end.
                assertThat(e).isNotNull();
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
            threads.shutdownNow();
        }
    }
}
