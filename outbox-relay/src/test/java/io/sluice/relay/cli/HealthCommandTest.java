package io.sluice.relay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.sluice.program.cli.ExitCode;
import io.sluice.relay.CommandRun;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What a probe learns from {@code health}: live, but not ready. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HealthCommandTest {
    private static final String REASONS = "{\"well\":false,\"reasons\":[\"range 3 is RECOVERING\"]}";

    private HttpServer relay;
    private String url;

    @BeforeEach
    void start() throws Exception {
        relay = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        answer("/health/ready", 503, REASONS);
        answer("/health/live", 200, "{\"well\":true}");
        relay.start();
        url = "--url=http://127.0.0.1:" + relay.getAddress().getPort();
    }

    @AfterEach
    void stop() {
        relay.stop(0);
    }

    private void answer(String path, int status, String body) {
        relay.createContext(path, exchange -> {
            exchange.sendResponseHeaders(status, body.length());
            exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
    }

    @Test
    void one_that_does_not_do_all_of_its_work_ends_it_with_1_and_the_reasons() {
        var run = CommandRun.of(Map.of(), "health", url);

        assertThat(run.code()).isEqualTo(ExitCode.OTHER);
        assertThat(run.err()).contains("range 3 is RECOVERING");
    }

    @Test
    void an_address_that_can_not_be_asked_is_a_fault_of_the_command_line() {
        for (var wrong : List.of(
                "nonsense", "ftp://relay/", "http:/relay", "http://relay?x=1", "http://admin:secret@127.0.0.1:1")) {
            assertThat(CommandRun.of(Map.of(), "status", "--url=" + wrong))
                    .as(wrong)
                    .satisfies(run -> {
                        assertThat(run.code()).isEqualTo(ExitCode.SETTINGS);
                        assertThat(run.err()).contains("--url").doesNotContain("Exception", "secret");
                    });
        }
    }

    @Test
    void a_part_is_sent_as_it_was_typed() {
        answer("/pause/", 400, "{\"error\":\"the part must be all\"}");

        assertThat(CommandRun.of(Map.of(), "pause", "a b?/é", url)).satisfies(run -> {
            assertThat(run.code()).isEqualTo(ExitCode.OTHER);
            assertThat(run.err()).contains("the part must be all").doesNotContain("Exception");
        });
    }

    @Test
    void one_that_is_to_be_left_alone_ends_it_with_0() {
        assertThat(CommandRun.of(Map.of(), "health", "--live", url).code()).isEqualTo(ExitCode.DONE);
    }
}
