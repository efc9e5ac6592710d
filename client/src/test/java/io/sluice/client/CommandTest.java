package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What can't be said is refused where it is said, with the field, the limit and the value's place. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CommandTest {
    private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final ClientConfig CONFIG = ClientConfig.of("broker:9092", "orders");

    static Stream<Arguments> refused() {
        return Stream.of(refusedCommands(), refusedOptions(), refusedConfigurations())
                .flatMap(cases -> cases);
    }

    private static Stream<Arguments> refusedCommands() {
        return Stream.of(
                refused("instance must not be empty", () -> new Command.Cancel("", "")),
                refused(
                        "instance must be without / \\ ? #, control characters and escapes such as %20, has U+0023 at position 2: 'o-#1'",
                        () -> new Command.Start("o-#1", "Order", "{}")),
                refused(
                        "instance must be without / \\ ? #, control characters and escapes such as %20, has U+000A at position 1: 'o\n'",
                        () -> new Command.RaiseEvent("o\n", "approval", "yes")),
                refused(
                        "instance must have at most 1014 bytes of UTF-8, has 1015: 'é" + "a".repeat(79) + "…'",
                        () -> new Command.Cancel("é" + "a".repeat(1_013), "")),
                refused(
                        "instance must be without lone surrogates, which no UTF-8 can carry, has U+D800 at position 1",
                        () -> new Command.Cancel("o\uD800", "")),
                refused(
                        "orchestration must be without lone surrogates, which no UTF-8 can carry, has U+DC00 at position 0",
                        () -> new Command.Start("o", "\uDC00", "{}")),
                refused(
                        "version must be without lone surrogates, which no UTF-8 can carry, has U+D83D at position 2",
                        () -> new Command.Start("o", "Order", "1.\uD83D", "{}")),
                refused(
                        "input must be without lone surrogates, which no UTF-8 can carry, has U+DE00 at position 2",
                        () -> new Command.Start("o", "Order", "\uD83D\uDE00\uDE00")),
                refused(
                        "data must be without lone surrogates, which no UTF-8 can carry, has U+D800 at position 0",
                        () -> new Command.EnqueueMessage("o", "mail", "\uD800")));
    }

    private static Stream<Arguments> refusedOptions() {
        return Stream.of(
                refused("commandId must not be empty", () -> CommandOptions.ofId("")),
                refused(
                        "commandId must have at most 4096 bytes of UTF-8, has 4098: 'é" + "a".repeat(79) + "…'",
                        () -> CommandOptions.ofId("é" + "a".repeat(CommandOptions.MAX_ID_BYTES))),
                refused("correlationId must not be empty", () -> CommandOptions.DEFAULT.withCorrelationId("")),
                refused(
                        "traceparent must be as W3C Trace Context says, was '00-0'; for example " + TRACE,
                        () -> CommandOptions.DEFAULT.withTrace("00-0", null)),
                refused(
                        "tracestate must be 1 to 512 printable characters of ASCII, was 'ü'",
                        () -> CommandOptions.DEFAULT.withTrace(TRACE, "ü")),
                refused(
                        "tracestate needs a traceparent, was 'a=b'",
                        () -> new CommandOptions(null, null, null, "a=b", null, null)),
                refused(
                        "deadline must be 1970 or later and at most 18 digits of milliseconds, was 1969-12-31T23:59:59Z",
                        () -> CommandOptions.DEFAULT.withDeadline(Instant.ofEpochSecond(-1))),
                refused(
                        "deadline must be 1970 or later and at most 18 digits of milliseconds, was " + Instant.MAX,
                        () -> CommandOptions.DEFAULT.withDeadline(Instant.MAX)),
                refused(
                        "replyTimeout must be longer than nothing, was PT0S",
                        () -> CommandOptions.DEFAULT.withReplyTimeout(Duration.ZERO)));
    }

    private static Stream<Arguments> refusedConfigurations() {
        return Stream.of(
                refused(
                        "bootstrapServers must be host:port, separated by commas, was blank",
                        () -> ClientConfig.of(" ", "orders")),
                refused(
                        "prefix must be 1 to 249 letters, digits, dots, underscores and hyphens, was 'or ders'",
                        () -> ClientConfig.of("broker:9092", "or ders")),
                refused(
                        "replyTopic must be 1 to 249 letters, digits, dots, underscores and hyphens, was '..'",
                        () -> CONFIG.withReplyTopic("..")),
                refused(
                        "replyTopic must be one of your own, was 'orders.eu.commands', which ends in .commands as a relay's topic does",
                        () -> CONFIG.withReplyTopic("orders.eu.commands")),
                refused(
                        "closeTimeout must be longer than nothing, was PT-1S",
                        () -> CONFIG.withCloseTimeout(Duration.ofSeconds(-1))));
    }

    private static Arguments refused(String message, ThrowingCallable making) {
        return Arguments.of(message, making);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void it_is_refused_with(String message, ThrowingCallable making) {
        assertThatThrownBy(making).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }

    @Test
    void the_longest_instance_and_every_character_of_unicode_are_taken() {
        var longest = new Command.Cancel("a".repeat(Command.MAX_INSTANCE_BYTES), "😀\u0000");

        assertThat(longest.reason()).isEqualTo("😀\u0000");
    }

    @Test
    void secrets_are_not_shown() {
        UnaryOperator<ClientConfig> secret = config -> config.withKafkaSettings(Map.of("sasl.jaas.config", "hunter2"));

        assertThat(secret.apply(CONFIG).toString())
                .contains("sasl.jaas.config", "orders")
                .doesNotContain("hunter2");
    }
}
