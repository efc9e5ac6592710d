package io.sluice.program.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SettledLinesTest {
    private static final String ASKED_AGAIN =
            "[Consumer clientId=c, groupId=g] The metadata response from the cluster reported a recoverable issue with"
                    + " correlation id {} : {}";

    private final LoggerContext context = new LoggerContext();
    private final ListAppender<ILoggingEvent> passed = new ListAppender<>();

    @BeforeEach
    void filter_what_is_logged() {
        SettledLines filter = new SettledLines();
        filter.start();
        passed.addFilter(filter);
        passed.start();
        context.getLogger("root").addAppender(passed);
    }

    @Test
    void what_the_client_asks_again_is_left_out_and_a_broker_that_is_away_is_not() {
        var network = context.getLogger("org.apache.kafka.clients.NetworkClient");

        network.warn(ASKED_AGAIN, 2, "{t=UNKNOWN_TOPIC_OR_PARTITION}");
        network.warn("Connection to node {} could not be established", 1);
        context.getLogger("other").warn(ASKED_AGAIN, 2, "{}");

        assertThat(passed.list)
                .extracting(ILoggingEvent::getLoggerName)
                .containsExactly("org.apache.kafka.clients.NetworkClient", "other");
        assertThat(passed.list.get(0).getFormattedMessage()).startsWith("Connection to node 1");
    }

    @Test
    void state_that_streams_restore_is_left_out_and_another_failure_beside_it_is_not() {
        var tasks = context.getLogger("org.apache.kafka.streams.processor.internals.TaskManager");
        var corrupted =
                "org.apache.kafka.streams.errors.TaskCorruptedException: Tasks [0_1] are corrupted and hence need"
                        + " to be re-initialized";
        var failed = "org.apache.kafka.streams.errors.ProcessorStateException: no space left";

        tasks.error("stream-thread [t-1] Get exceptions for the following tasks: {}", "{0_1=" + corrupted + "}");
        tasks.error(
                "stream-thread [t-1] Get exceptions for the following tasks: {}",
                "{0_1=" + corrupted + ", 0_2=" + corrupted + "}");
        tasks.error(
                "stream-thread [t-1] Get exceptions for the following tasks: {}",
                "{0_1=" + corrupted + ", 0_2=" + failed + "}");

        assertThat(passed.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .contains("no space left");
    }

    @Test
    void what_a_rebalance_made_of_no_use_is_left_out() {
        var offsets = context.getLogger("org.apache.kafka.clients.consumer.internals.OffsetFetcherUtils");

        offsets.warn("Not updating last stable offset for partition {} as it is no longer assigned", "t-1");
        offsets.warn("Seeking to {} offset of partition {}", "earliest", "t-1");

        assertThat(passed.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("Seeking to earliest offset of partition t-1");
    }
}
