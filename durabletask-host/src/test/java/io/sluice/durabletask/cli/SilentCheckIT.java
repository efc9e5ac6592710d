package io.sluice.durabletask.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.program.cli.ExitCode;
import io.sluice.testkit.CosmosAccount;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import picocli.CommandLine;

/** A check of what hangs, is not there, or has no address: it ends soon, and names all of it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SilentCheckIT {
    private static final Duration LIMIT = Duration.ofSeconds(15);

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private final Map<String, String> environment = new HashMap<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private ServerSocket silent;

    /** It takes connections, and never says anything. */
    @BeforeEach
    void open() throws IOException {
        silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        environment.put("COSMOS_KEY", "c2VjcmV0");
        environment.put("COSMOS_DATABASE", account.database());
        environment.put("SLUICE_HOST_TASK_HUBS", account.container() + "-a," + account.container() + "-b");
        environment.put("SLUICE_HOST_PREFIX", "a,b");
    }

    @AfterEach
    void close() throws IOException {
        silent.close();
    }

    private int check(String... more) {
        CommandLine commands = Main.commandLine(environment);
        commands.setOut(new PrintWriter(out, true));
        commands.setErr(new PrintWriter(err, true));
        long begunNanos = System.nanoTime();

        int code = commands.execute(
                Stream.concat(Stream.of("check"), Stream.of(more)).toArray(String[]::new));

        assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isLessThan(LIMIT);
        return code;
    }

    private String faults() {
        assertThat(check()).isEqualTo(ExitCode.START);
        assertThat(err.toString().lines()).as("one line").hasSize(1);
        assertThat(err.toString()).doesNotContain("is busy (408)", "TimeoutException");
        return err.toString();
    }

    @Test
    void a_store_that_hangs_is_named_for_each_task_hub() {
        environment.put("COSMOS_ENDPOINT", "http://127.0.0.1:" + silent.getLocalPort() + "/");

        assertThat(faults())
                .contains("container " + account.container() + "-a", "container " + account.container() + "-b")
                .contains("did not answer within ");
    }

    @Test
    void the_time_that_is_waited_is_the_operators() {
        environment.put("COSMOS_ENDPOINT", "http://127.0.0.1:" + silent.getLocalPort() + "/");

        assertThat(check("--timeout=1")).isEqualTo(ExitCode.START);
        assertThat(err.toString()).contains("did not answer within 1 s");
        assertThat(check("--timeout=0")).isEqualTo(ExitCode.SETTINGS);
    }

    @Test
    void a_store_that_is_not_there_and_one_without_an_address_are_named() {
        environment.put("COSMOS_ENDPOINT", "http://127.0.0.1:1/");
        assertThat(faults()).contains("no connection to 127.0.0.1:1");

        err.getBuffer().setLength(0);
        environment.put("COSMOS_ENDPOINT", "https://no-such-host.invalid/");
        assertThat(faults()).contains("no connection to no-such-host.invalid:443");
    }

    @Test
    void a_kafka_that_hangs_is_a_warning_for_each_task_hub() {
        environment.put("COSMOS_ENDPOINT", account.endpoint());
        environment.put("COSMOS_KEY", account.key());
        CommandLine provision = Main.commandLine(environment);
        assertThat(provision.execute("provision")).isEqualTo(ExitCode.DONE);
        environment.put("SLUICE_HOST_KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:" + silent.getLocalPort());

        assertThat(check()).isEqualTo(ExitCode.DONE);

        assertThat(out.toString())
                .contains("warning: task hub " + account.container() + "-a: Kafka")
                .contains("warning: task hub " + account.container() + "-b: Kafka")
                .contains("it works, but see the warnings");
    }
}
