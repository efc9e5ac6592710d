package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Status.Code;
import io.grpc.TlsChannelCredentials;
import io.sluice.durabletask.DurableTaskHost;
import io.sluice.durabletask.HostConfig;
import io.sluice.durabletask.HostException;
import io.sluice.durabletask.PemPair;
import io.sluice.durabletask.ServerTls;
import io.sluice.testkit.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Certificates of hosts and of their clients. */
@Isolated("it counts the threads of all hosts of this JVM")
class TlsIT {
    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    @TempDir
    private Path folder;

    private final String name = unique("Order");

    private TestAuthority authority(String itsName) {
        return TestAuthority.create(folder.resolve(itsName), itsName);
    }

    private static ServerTls tls(Path both, @Nullable Path clientAuthorities) throws IOException {
        return PemPair.of(both).tls(clientAuthorities);
    }

    private DurableTaskHost start(ServerTls tls) {
        return DurableTaskHost.start(host.host().provider(), HostConfig.local(0).withTls(tls));
    }

    private String startOn(DurableTaskHost secured, ChannelCredentials credentials) {
        ManagedChannel channel = Grpc.newChannelBuilderForAddress("127.0.0.1", secured.port(), credentials)
                .build();
        try {
            return new HubClient(channel).start(name, "1");
        } finally {
            channel.shutdownNow();
        }
    }

    private static ChannelCredentials trusting(TestAuthority authority) throws IOException {
        return TlsChannelCredentials.newBuilder()
                .trustManager(authority.certificate().toFile())
                .build();
    }

    private static ChannelCredentials showing(TestAuthority trusted, Path identity) throws IOException {
        return TlsChannelCredentials.newBuilder()
                .trustManager(trusted.certificate().toFile())
                .keyManager(identity.toFile(), identity.toFile())
                .build();
    }

    @Test
    void a_client_that_trusts_the_host_s_authority_is_served() throws IOException {
        TestAuthority authority = authority("ours");
        try (DurableTaskHost secured = start(tls(authority.issue("host", "127.0.0.1", "localhost"), null))) {
            assertThat(startOn(secured, trusting(authority))).isNotEmpty();
        }
    }

    @Test
    void a_client_that_trusts_another_authority_or_speaks_plain_text_is_not_served() throws IOException {
        TestAuthority authority = authority("ours");
        try (DurableTaskHost secured = start(tls(authority.issue("host", "127.0.0.1"), null))) {
            assertRefused(Code.UNAVAILABLE, () -> startOn(secured, trusting(authority("theirs"))));
            assertRefused(Code.UNAVAILABLE, () -> startOn(secured, io.grpc.InsecureChannelCredentials.create()));
        }
    }

    @Test
    void a_host_that_asks_for_certificates_serves_those_who_have_one() throws IOException {
        TestAuthority servers = authority("servers");
        TestAuthority clients = authority("clients");
        Path good = clients.issue("good");
        Path bad = authority("others").issue("bad");
        try (DurableTaskHost secured = start(tls(servers.issue("host", "127.0.0.1"), clients.certificate()))) {
            assertThat(startOn(secured, showing(servers, good))).isNotEmpty();
            assertRefused(Code.UNAVAILABLE, () -> startOn(secured, trusting(servers)));
            assertRefused(Code.UNAVAILABLE, () -> startOn(secured, showing(servers, bad)));
        }
    }

    @Test
    void certificates_that_can_not_be_read_keep_a_host_from_starting() throws IOException {
        Path garbage = Files.writeString(folder.resolve("garbage.pem"), "no certificate");

        assertThatThrownBy(() -> start(new ServerTls(garbage, garbage, null)))
                .isInstanceOf(HostException.class)
                .hasMessageContaining("certificate");
        assertThatThrownBy(() -> start(new ServerTls(garbage, folder.resolve("missing.pem"), null)))
                .isInstanceOf(HostException.class)
                .hasMessageContaining("missing.pem");
    }

    @Test
    void a_port_that_is_taken_keeps_a_host_from_starting() {
        int taken = host.host().host().port();

        assertThatThrownBy(() -> DurableTaskHost.start(host.host().provider(), HostConfig.local(taken)))
                .isInstanceOf(HostException.class)
                .hasMessageContaining("port " + taken);
    }

    @Test
    void a_host_whose_certificates_can_not_be_read_leaves_no_dispatcher_behind() {
        long before = dispatchers();
        ServerTls missing = new ServerTls(folder.resolve("none.crt"), folder.resolve("none.key"), null);

        assertThatThrownBy(() -> start(missing)).isInstanceOf(HostException.class);

        assertThat(dispatchers()).isEqualTo(before);
    }

    private static long dispatchers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("durabletask-dispatcher"))
                .count();
    }
}
