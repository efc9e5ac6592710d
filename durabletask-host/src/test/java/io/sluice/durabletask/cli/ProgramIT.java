package io.sluice.durabletask.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.CosmosAccount;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The program as an operator meets it: a process, signals, exit codes. */
class ProgramIT {
    private static final int PATIENCE_SECONDS = 90;

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @Test
    void a_host_that_is_told_to_stop_ends_with_zero() throws Exception {
        assertThat(start("provision").waitFor()).isEqualTo(Main.DONE);
        Process host = start("serve");
        try (BufferedReader printed = host.inputReader()) {
            awaitServing(printed);

            host.toHandle().destroy();

            assertThat(host.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(host.exitValue()).isEqualTo(Main.DONE);
        } finally {
            host.destroyForcibly();
        }
    }

    @Test
    void a_host_whose_port_is_taken_says_so_and_ends() throws Exception {
        assertThat(start("provision").waitFor()).isEqualTo(Main.DONE);
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Process host = start("serve", "SLUICE_HOST_PORT=" + taken.getLocalPort());
            try (BufferedReader printed = host.inputReader()) {
                assertThat(printed.lines()).anySatisfy(line -> assertThat(line).contains("" + taken.getLocalPort()));
                assertThat(host.waitFor()).isEqualTo(Main.START);
            } finally {
                host.destroyForcibly();
            }
        }
    }

    private static void awaitServing(BufferedReader printed) throws IOException {
        List<String> before = new ArrayList<>();
        for (String line = printed.readLine(); line != null; line = printed.readLine()) {
            if (line.startsWith("serving DurableTask SDKs")) {
                return;
            }
            before.add(line);
        }
        throw new AssertionError("the host ended before it served: " + before);
    }

    private static Process start(String command, String... settings) throws IOException {
        ProcessBuilder program = new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                command);
        program.environment()
                .putAll(Map.of(
                        "COSMOS_ENDPOINT", account.endpoint(),
                        "COSMOS_KEY", account.key(),
                        "COSMOS_DATABASE", account.database(),
                        "COSMOS_CONTAINER", account.container(),
                        "SLUICE_HOST_PORT", "0",
                        "SLUICE_HOST_OPS_PORT", "0"));
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            program.environment().put(setting.substring(0, equals), setting.substring(equals + 1));
        }
        return program.redirectErrorStream(true).start();
    }
}
