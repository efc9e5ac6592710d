package io.sluice.connect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the program does with configurations, before a worker that answers as Connect does. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProgramTest {
    private static final String RUNNING =
            "{\"connector\":{\"state\":\"RUNNING\"},\"tasks\":[{\"id\":0,\"state\":\"RUNNING\"}]}";
    private static final String STARTING = "{\"connector\":{\"state\":\"RUNNING\"},\"tasks\":[]}";
    private static final String FAILED =
            "{\"connector\":{\"state\":\"RUNNING\"},\"tasks\":[{\"id\":0,\"state\":\"FAILED\",\"trace\":\"no such container\\n\\tat line\"}]}";

    @TempDir
    Path folder;

    private final Map<String, String> taken = new ConcurrentHashMap<>();
    private final Queue<Integer> refusals = new ConcurrentLinkedQueue<>();
    private final Queue<String> states = new ConcurrentLinkedQueue<>();
    private final Queue<String> paths = new ConcurrentLinkedQueue<>();
    private final Queue<String> authorizations = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unanswered = new AtomicInteger();
    private HttpServer worker;
    private String url;

    @BeforeEach
    void start() throws IOException {
        worker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        worker.createContext("/connectors/", this::answer);
        worker.createContext("/proxy/", ProgramTest::redirect);
        worker.start();
        url = "http://127.0.0.1:" + worker.getAddress().getPort() + "/";
    }

    @AfterEach
    void stop() {
        worker.stop(0);
    }

    private static void redirect(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().add("Location", "http://login.example.org/");
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        paths.add(exchange.getRequestURI().getRawPath());
        authorizations.addAll(exchange.getRequestHeaders().getOrDefault("Authorization", List.of()));
        if (!taken.isEmpty() && unanswered.getAndDecrement() > 0) {
            exchange.close();
            return;
        }
        boolean asks = exchange.getRequestMethod().equals("GET");
        var refusal = asks ? null : refusals.poll();
        var body = "{}";
        if (path.endsWith("/status")) {
            body = states.size() > 1 ? states.remove() : states.element();
        } else if (asks) {
            body = taken.getOrDefault(path, body);
        } else if (refusal == null) {
            taken.put(path, new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        } else {
            body = "{\"message\":\"refused with " + refusal + "\"}";
        }
        exchange.sendResponseHeaders(refusal == null ? 200 : refusal, body.length());
        exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
        exchange.close();
    }

    @Test
    void what_is_shipped_is_well() {
        var run = ProgramRun.of(
                Map.of(), "check", "source", "sink", "service-principal/source", "service-principal/sink");

        assertThat(run.code()).isEqualTo(Main.DONE);
        assertThat(run.out()).contains("10 configurations");
    }

    @Test
    void every_fault_is_printed_with_its_file_and_key() throws IOException {
        var file = Files.writeString(
                folder.resolve("bad.json"),
                Files.readString(Path.of("sink", "status.json")).replace("ItemOverwrite", "ItemSomehow"));

        var run = ProgramRun.of(Map.of(), "check", folder.toString());

        assertThat(run.code()).isEqualTo(Main.NOT_DONE);
        assertThat(run.err())
                .contains(file + ": azure.cosmos.sink.write.strategy")
                .contains("'ItemSomehow'");
    }

    @Test
    void what_is_no_configuration_is_said_to_be_none() throws IOException {
        var file = Files.writeString(folder.resolve("bad.json"), "{\"name\":\"x\"}");

        assertThat(ProgramRun.of(Map.of(), "check", file.toString()).err())
                .contains("must have a name and an object config");
        assertThat(ProgramRun.of(Map.of(), "check", folder.resolve("none").toString())
                        .err())
                .contains("can't be read");
    }

    @Test
    void a_configuration_is_put_with_what_is_set_and_its_tasks_are_awaited() throws IOException {
        refusals.add(409); // the workers share out their work again
        states.add(STARTING);
        states.add(RUNNING);

        var run = ProgramRun.of(
                Map.of(), "apply", "--url", url, "--set", "azure.cosmos.mode.gateway=true", "sink/status.json");

        assertThat(run.code()).as(run.err()).isEqualTo(Main.DONE);
        assertThat(run.out()).contains("sluice-status: RUNNING, task 0 RUNNING");
        var config = new ObjectMapper().readTree(taken.get("/connectors/sluice-status/config"));
        assertThat(config.path("azure.cosmos.mode.gateway").asText()).isEqualTo("true");
        assertThat(config.path("azure.cosmos.account.key").asText()).isEqualTo("${env:COSMOS_KEY}");
    }

    @Test
    void a_task_that_failed_is_told_with_its_reason() {
        states.add(STARTING);
        states.add(FAILED);

        var run = ProgramRun.of(Map.of(), "apply", "--url", url, "sink/status.json");

        assertThat(run.code()).isEqualTo(Main.NOT_DONE);
        assertThat(run.err()).contains("task 0 FAILED (no such container)");
    }

    @Test
    void a_failure_from_before_is_not_taken_for_the_outcome_and_failed_tasks_are_started_again() {
        states.add(FAILED); // as it was found
        states.add(FAILED); // the worker has not begun yet
        states.add(STARTING);
        states.add(RUNNING);

        var run = ProgramRun.of(Map.of(), "apply", "--url", url, "sink/status.json");

        assertThat(run.code()).as(run.err()).isEqualTo(Main.DONE);
        assertThat(run.out()).contains("sluice-status: RUNNING, task 0 RUNNING");
        assertThat(taken).containsKey("/connectors/sluice-status/restart");
    }

    @Test
    void a_failure_that_a_repair_does_not_end_is_told_when_time_is_up() {
        states.add(FAILED);

        var run = ProgramRun.of(Map.of(), "apply", "--url", url, "--timeout", "1", "sink/status.json");

        assertThat(run.code()).isEqualTo(Main.NOT_DONE);
        assertThat(run.err()).contains("task 0 FAILED (no such container)");
    }

    @Test
    void a_connector_that_ran_before_a_change_is_awaited_after_it() {
        states.add(RUNNING); // as it was found
        states.add(RUNNING); // the worker has not begun yet
        states.add(FAILED);

        var run = ProgramRun.of(Map.of(), "apply", "--url", url, "sink/status.json");

        assertThat(run.code()).isEqualTo(Main.NOT_DONE);
        assertThat(run.err()).contains("task 0 FAILED (no such container)");
    }

    @Test
    void a_connector_that_runs_and_is_not_changed_is_not_awaited() {
        states.add(STARTING);
        states.add(RUNNING);
        ProgramRun.of(Map.of(), "apply", "--url", url, "sink/status.json");

        assertThat(ProgramRun.of(Map.of(), "apply", "--url", url, "--timeout", "0", "sink/status.json")
                        .code())
                .isEqualTo(Main.DONE);
    }

    @Test
    void tasks_that_never_come_are_not_awaited_for_ever() {
        states.add(STARTING);

        assertThat(ProgramRun.of(Map.of(), "apply", "--url", url, "--timeout", "1", "sink/status.json")
                        .code())
                .isEqualTo(Main.NOT_DONE);
    }

    @Test
    void a_refusal_names_the_connector_and_the_others_are_put_all_the_same() {
        refusals.add(400);
        states.add(STARTING);
        states.add(STARTING);
        states.add(RUNNING);

        var run = ProgramRun.of(Map.of(), "apply", "--url", url, "sink/lifecycle.json", "sink/status.json");

        assertThat(run.code()).isEqualTo(Main.NOT_DONE);
        assertThat(run.err()).contains("sluice-lifecycle: 400 refused with 400");
        assertThat(taken).containsOnlyKeys("/connectors/sluice-status/config");
    }

    @Test
    void a_paused_connector_is_not_awaited_and_is_said_to_be_paused() {
        states.add(RUNNING.replace("RUNNING", "PAUSED"));

        var run = ProgramRun.of(Map.of(), "apply", "--url", url, "sink/status.json");

        assertThat(run.code()).isEqualTo(Main.NOT_DONE);
        assertThat(run.err()).contains("PAUSED", "/connectors/sluice-status/resume");
    }

    @Test
    void a_worker_that_restarts_meanwhile_is_waited_for() {
        states.add(STARTING);
        states.add(RUNNING);
        unanswered.set(2);

        var run = ProgramRun.of(Map.of(), "apply", "--url", url, "sink/status.json");

        assertThat(run.code()).as(run.err()).isEqualTo(Main.DONE);
    }

    @Test
    void a_worker_that_has_just_started_is_asked_again() {
        refusals.add(502);
        refusals.add(503);
        states.add(STARTING);
        states.add(RUNNING);

        var run = ProgramRun.of(Map.of(), "apply", "--url", url, "sink/status.json");

        assertThat(run.code()).as(run.err()).isEqualTo(Main.DONE);
    }

    @Test
    void the_word_in_a_reason_is_no_failure() {
        states.add(STARTING);
        states.add(RUNNING.replace(
                "\"id\":0,\"state\":\"RUNNING\"",
                "\"id\":0,\"state\":\"UNASSIGNED\",\"trace\":\"FAILED to be assigned\""));
        states.add(RUNNING);

        var run = ProgramRun.of(Map.of(), "apply", "--url", url, "sink/status.json");

        assertThat(run.code()).as(run.err()).isEqualTo(Main.DONE);
    }

    @Test
    void a_name_of_any_characters_is_one_part_of_the_path() throws IOException {
        var file = Files.writeString(
                folder.resolve("odd.json"),
                Files.readString(Path.of("sink", "status.json")).replace("sluice-status", "état 1/2?#%"));
        states.add(STARTING);
        states.add(RUNNING);

        var run = ProgramRun.of(Map.of(), "apply", "--url", url, file.toString());

        assertThat(run.code()).as(run.err()).isEqualTo(Main.DONE);
        assertThat(paths).allMatch(path -> path.startsWith("/connectors/%C3%A9tat%201%2F2%3F%23%25/"));
    }

    @Test
    void a_worker_behind_a_password_gets_it_from_the_environment() {
        states.add(STARTING);
        states.add(RUNNING);

        ProgramRun.of(
                Map.of("SLUICE_CONNECT_USER", "ops", "SLUICE_CONNECT_PASSWORD", "pa:ss"),
                "apply",
                "--url",
                url,
                "sink/status.json");

        String given = Base64.getEncoder().encodeToString("ops:pa:ss".getBytes(StandardCharsets.UTF_8));
        assertThat(authorizations).isNotEmpty().containsOnly("Basic " + given);
    }

    @Test
    void a_password_in_the_url_is_refused_and_not_shown() {
        var run = ProgramRun.of(Map.of(), "apply", "--url", "http://ops:canary@127.0.0.1:1", "sink/status.json");

        assertThat(run.code()).isEqualTo(Main.NOT_DONE);
        assertThat(run.err()).contains("SLUICE_CONNECT_PASSWORD").doesNotContain("canary");
    }

    @Test
    void what_answers_otherwise_than_a_worker_is_not_taken_for_one() {
        var run = ProgramRun.of(Map.of(), "apply", "--url", url + "proxy/", "--timeout", "1", "sink/status.json");

        assertThat(run.code()).isEqualTo(Main.NOT_DONE);
        assertThat(run.err()).contains("302", "--url");
    }

    @Test
    void a_url_that_is_none_is_said_to_be_none() {
        var run = ProgramRun.of(Map.of(), "apply", "--url", "localhost:8083", "sink/status.json");

        assertThat(run.code()).isEqualTo(Main.NOT_DONE);
        assertThat(run.err()).contains("--url must be", "http://localhost:8083");
    }

    @Test
    void two_files_for_one_connector_are_refused() throws IOException {
        var file = Files.copy(Path.of("sink", "status.json"), folder.resolve("mine.json"));

        var run = ProgramRun.of(Map.of(), "apply", "--url", url, "sink/status.json", file.toString());

        assertThat(run.code()).isEqualTo(Main.NOT_DONE);
        assertThat(run.err()).contains("sluice-status", "mine.json");
        assertThat(taken).isEmpty();
    }

    @Test
    void nothing_is_put_while_one_has_a_fault() {
        var run = ProgramRun.of(
                Map.of(), "apply", "--url", url, "--set", "azure.cosmos.mode.gateway=perhaps", "sink/status.json");

        assertThat(run.code()).isEqualTo(Main.NOT_DONE);
        assertThat(taken).isEmpty();
    }

    @Test
    void a_worker_that_is_away_is_named() {
        var run = ProgramRun.of(Map.of(), "apply", "--url", "http://127.0.0.1:1", "sink/status.json");

        assertThat(run.code()).isEqualTo(Main.NOT_DONE);
        assertThat(run.err()).contains("http://127.0.0.1:1", "--url");
    }
}
