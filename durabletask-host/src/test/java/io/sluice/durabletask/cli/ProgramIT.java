package io.sluice.durabletask.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.sluice.program.cli.ExitCode;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.process.JavaProcess;
import io.sluice.testkit.process.JavaProgram;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The program as an operator meets it: a process, signals, exit codes. */
class ProgramIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @Test
    void a_host_whose_port_is_taken_says_so_and_one_that_is_told_to_stop_ends_with_zero() throws Exception {
        assertThat(start("provision", Map.of()).awaitEnd()).isEqualTo(ExitCode.DONE);
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                JavaProcess refused = start("serve", Map.of("SLUICE_HOST_PORT", "" + taken.getLocalPort()));
                JavaProcess host = start("serve", Map.of())) {
            host.awaitPrinted("serving DurableTask SDKs");

            assertThat(host.end()).isEqualTo(ExitCode.DONE);
            assertThat(refused.awaitEnd()).isEqualTo(ExitCode.START);
            assertThat(refused.lines()).anySatisfy(line -> assertThat(line).contains("" + taken.getLocalPort()));
        }
    }

    @Test
    void a_host_whose_store_does_not_answer_is_ended_at_once() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                JavaProcess host =
                        start("serve", Map.of("COSMOS_ENDPOINT", "http://127.0.0.1:" + silent.getLocalPort() + "/"));
                Socket opening = silent.accept()) {
            assertThat(opening.isConnected()).isTrue();

            // 143: by the signal. To open the store is given up after a minute, containers are killed after half of it.
            assertThat(assertTimeout(Duration.ofSeconds(25), host::end)).isEqualTo(143);
        }
    }

    private static JavaProcess start(String command, Map<String, String> settings) {
        return JavaProgram.of(Main.class, command)
                .small(256)
                .with(Map.of(
                        "COSMOS_ENDPOINT", account.endpoint(),
                        "COSMOS_KEY", account.key(),
                        "COSMOS_DATABASE", account.database(),
                        "COSMOS_CONTAINER", account.container(),
                        "SLUICE_HOST_PORT", "0",
                        "SLUICE_HOST_OPS_PORT", "0"))
                .with(settings)
                .start();
    }
}
