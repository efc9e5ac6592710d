package io.sluice.durabletask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.sluice.testkit.TestAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates that change while a host runs. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CredentialsIT {
    @TempDir
    private Path folder;

    private final ManualTimer timer = new ManualTimer();
    private TestAuthority servers;
    private TestAuthority clients;
    private PemPair identity;
    private Path authorities;
    private Server server;

    @BeforeEach
    void start() throws Exception {
        servers = TestAuthority.create(folder.resolve("servers"), "servers");
        clients = TestAuthority.create(folder.resolve("clients"), "clients");
        identity = PemPair.of(Files.copy(servers.issue("host", "127.0.0.1"), folder.resolve("host.pem")));
        authorities = Files.copy(clients.certificate(), folder.resolve("authorities.pem"));
        server = NettyServerBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        Credentials.of(identity.tls(authorities), timer))
                .addService(new HealthStatusManager().getHealthService())
                .build()
                .start();
    }

    @AfterEach
    void stop() {
        server.shutdownNow();
        timer.shutdownNow();
    }

    /** Replaces a file; the new one is younger, as far as file systems tell. */
    private static void replace(Path file, Path by) throws IOException {
        Files.copy(by, file, StandardCopyOption.REPLACE_EXISTING);
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(5)));
    }

    private ServingStatus call(TestAuthority trusted, TestAuthority shown) throws IOException {
        Path own = shown.issue("client");
        ChannelCredentials credentials = TlsChannelCredentials.newBuilder()
                .trustManager(trusted.certificate().toFile())
                .keyManager(own.toFile(), own.toFile())
                .build();
        ManagedChannel channel = Grpc.newChannelBuilderForAddress("127.0.0.1", server.getPort(), credentials)
                .build();
        try {
            return HealthGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(60, TimeUnit.SECONDS)
                    .check(HealthCheckRequest.getDefaultInstance())
                    .getStatus();
        } finally {
            channel.shutdownNow();
        }
    }

    private void assertRefused(TestAuthority trusted, TestAuthority shown) {
        assertThat(catchThrowableOfType(StatusRuntimeException.class, () -> call(trusted, shown)))
                .isNotNull();
    }

    @Test
    void the_host_s_certificate_is_read_again_when_it_changes() throws IOException {
        TestAuthority next = TestAuthority.create(folder.resolve("next"), "next");
        ServingStatus before = call(servers, clients);

        PemPair nextIdentity = PemPair.of(next.issue("host", "127.0.0.1"));
        replace(identity.certificate(), nextIdentity.certificate());
        replace(identity.key(), nextIdentity.key());
        timer.tick();

        assertThat(before).isEqualTo(ServingStatus.SERVING);
        assertThat(call(next, clients)).isEqualTo(ServingStatus.SERVING);
        assertRefused(servers, clients);
    }

    @Test
    void the_clients_authorities_are_read_again_when_they_change() throws IOException {
        TestAuthority next = TestAuthority.create(folder.resolve("next"), "next");
        assertRefused(servers, next);

        replace(authorities, next.certificate());
        timer.tick();

        assertThat(call(servers, next)).isEqualTo(ServingStatus.SERVING);
        assertRefused(servers, clients);
    }

    @Test
    void a_certificate_that_can_not_be_read_leaves_the_one_before_in_place() throws IOException {
        Path garbage = Files.writeString(folder.resolve("garbage.pem"), "no certificate");
        replace(identity.certificate(), garbage);
        replace(identity.key(), garbage);
        timer.tick();

        assertThat(call(servers, clients)).isEqualTo(ServingStatus.SERVING);
    }

    /** Runs what is to be repeated when the test says so. */
    private static final class ManualTimer extends ScheduledThreadPoolExecutor {
        private final List<Runnable> repeated = new ArrayList<>();

        ManualTimer() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long delay, TimeUnit unit) {
            repeated.add(task);
            return Objects.requireNonNull(super.schedule(() -> {}, 0, unit));
        }

        void tick() {
            repeated.forEach(Runnable::run);
        }
    }
}
