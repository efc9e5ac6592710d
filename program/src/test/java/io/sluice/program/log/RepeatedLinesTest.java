package io.sluice.program.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.read.ListAppender;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

@Isolated("other tests' lines of the same logger would be counted")
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RepeatedLinesTest {
    private static final String RETRIES =
            "[Producer clientId={}] Got error produce response, retrying ({} attempts left)";

    private final AtomicLong nanos = new AtomicLong();
    private final LoggerContext context = new LoggerContext();
    private final ListAppender<ILoggingEvent> passed = new ListAppender<>();
    private final ListAppender<ILoggingEvent> ours = new ListAppender<>();
    private final RepeatedLines filter = new RepeatedLines(nanos::get);
    private final Logger sender = context.getLogger("org.apache.kafka.clients.producer.internals.Sender");

    @BeforeEach
    void attach() {
        passed.setContext(context);
        passed.addFilter(filter);
        passed.start();
        context.getLogger("root").addAppender(passed);
        ours.start();
        root().addAppender(ours);
    }

    @AfterEach
    void detach() {
        root().detachAppender(ours);
        context.stop();
    }

    private static ch.qos.logback.classic.Logger root() {
        return (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(RepeatedLines.class);
    }

    private List<String> passed() {
        return passed.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void the_first_line_of_a_kind_passes_and_the_others_are_counted() {
        for (int i = 0; i < 357; i++) {
            sender.warn("[Producer clientId=producer-" + i + "] Got error produce response, attempt " + i);
        }
        sender.warn("[Producer clientId=producer-1] Something else");
        sender.error("[Producer clientId=producer-1] Something else");
        context.getLogger("io.sluice.relay.Ours").warn("ours");
        context.getLogger("io.sluice.relay.Ours").warn("ours");

        assertThat(passed())
                .containsExactly(
                        "[Producer clientId=producer-0] Got error produce response, attempt 0",
                        "[Producer clientId=producer-1] Something else",
                        "[Producer clientId=producer-1] Something else",
                        "ours",
                        "ours");
    }

    @Test
    void another_error_in_the_same_words_passes() {
        String words = "[Producer clientId={}] Got error produce response on {}, retrying. Error: {}";
        sender.warn(words, "producer-1", "history-1", "NOT_LEADER_OR_FOLLOWER");
        sender.warn(words, "producer-2", "history-7", "NOT_LEADER_OR_FOLLOWER");
        sender.warn(words, "producer-1", "history-1", "TOPIC_AUTHORIZATION_FAILED");
        sender.warn("Failed to send", new IllegalStateException("the broker at node 1 is away"));
        sender.warn("Failed to send", new IllegalStateException("the broker at node 2 is away"));
        sender.warn("Failed to send", new IllegalStateException("the key store has expired"));

        assertThat(passed.list)
                .extracting(line -> line.getThrowableProxy() == null
                        ? line.getFormattedMessage()
                        : line.getThrowableProxy().getMessage())
                .containsExactly(
                        "[Producer clientId=producer-1] Got error produce response on history-1, retrying. Error:"
                                + " NOT_LEADER_OR_FOLLOWER",
                        "[Producer clientId=producer-1] Got error produce response on history-1, retrying. Error:"
                                + " TOPIC_AUTHORIZATION_FAILED",
                        "the broker at node 1 is away",
                        "the key store has expired");
    }

    @Test
    void a_minute_later_one_line_says_how_many_there_were_and_the_next_passes_again() {
        for (int i = 0; i < 10; i++) {
            sender.warn(RETRIES, "producer-" + i, i);
        }
        nanos.addAndGet(Duration.ofSeconds(59).toNanos());
        filter.flush();
        assertThat(ours.list).isEmpty();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());

        filter.flush();
        filter.flush();
        sender.warn(RETRIES, "producer-0", 0);

        assertThat(ours.list).singleElement().satisfies(line -> {
            assertThat(line.getMessage()).isEqualTo("suppressed repeated log lines of Kafka's client");
            assertThat(line.getKeyValuePairs())
                    .extracting(pair -> pair.key + "=" + pair.value)
                    .contains("count=9", "logger=org.apache.kafka.clients.producer.internals.Sender", "level=WARN");
        });
        assertThat(passed()).hasSize(2);
    }

    @Test
    void what_came_once_is_not_summed_up() {
        sender.warn("once");
        nanos.addAndGet(Duration.ofMinutes(2).toNanos());

        filter.flush();

        assertThat(ours.list).isEmpty();
    }

    @Test
    void the_programs_log_has_the_filters() throws Exception {
        LoggerContext program = program();

        assertThat(console(program).getCopyOfAttachedFiltersList())
                .hasExactlyElementsOfTypes(SettledLines.class, RepeatedLines.class)
                .allMatch(Filter::isStarted);
        program.stop();
    }

    @Test
    void what_others_sent_begins_no_line_of_its_own_in_the_programs_log() throws Exception {
        LoggerContext program = program();
        var event = new LoggingEvent("fqcn", program.getLogger("log"), Level.WARN, "refused\u001b[2J", null, null);
        event.addKeyValuePair(new KeyValuePair("commandId", "c-1\n2026-11-28T00:00:00.000 ERROR Delivery all lost\r"));

        byte[] line = console(program).getEncoder().encode(event);

        assertThat(new String(line, StandardCharsets.UTF_8).strip())
                .contains("c-1 2026-11-28")
                .doesNotContain("\n", "\r", "\u001b");
        program.stop();
    }

    private static LoggerContext program() throws Exception {
        var program = new LoggerContext();
        var configurator = new JoranConfigurator();
        configurator.setContext(program);
        configurator.doConfigure(RepeatedLines.class.getResource("/io/sluice/program/logback.xml"));
        return program;
    }

    private static ConsoleAppender<ILoggingEvent> console(LoggerContext program) {
        return (ConsoleAppender<ILoggingEvent>) program.getLogger("root").getAppender("console");
    }
}
