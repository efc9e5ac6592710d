package io.sluice.client.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import io.sluice.client.lifecycle.InstanceStatus.Counts;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LifecycleJsonTest {
    private static final Instant TIME = Instant.parse("2023-11-14T22:13:20.123Z");
    private static final Failure FAILURE = new Failure("application", "no stock", true);

    private static LifecycleEvent event(Fact fact) {
        return new LifecycleEvent(
                "order-1:1:4:1700000000123:x",
                "order-1",
                1,
                4,
                TIME,
                "Order",
                "1.0.0",
                new Parent("cart-7", 2L, 5L),
                "cart-7",
                fact);
    }

    private static List<Fact> facts() {
        return List.of(
                new Fact.Created(),
                new Fact.Started(),
                new Fact.Completed("{}", 17L),
                new Fact.Failed(FAILURE, null),
                new Fact.Cancelled("customer", 3L),
                new Fact.ContinuedAsNew(9L),
                new Fact.CancelRequested("customer"),
                new Fact.CustomStatusChanged(null),
                new Fact.SubOrchestrationStarted("order-1::2", "Pay", false),
                new Fact.SubOrchestrationCompleted("order-1::2", 5L),
                new Fact.SubOrchestrationFailed(null, FAILURE, null),
                new Fact.ActivityScheduled("Charge", "gpu"),
                new Fact.ActivityCompleted("Charge", 2L, 40L),
                new Fact.ActivityFailed("Charge", 2L, FAILURE, 41L),
                new Fact.TimerCreated(TIME),
                new Fact.TimerFired(null),
                new Fact.ExternalEventReceived("approval", true),
                new Fact.Suspended("audit"),
                new Fact.Resumed(""),
                new Fact.Deleted());
    }

    @ParameterizedTest
    @MethodSource("facts")
    void a_fact_comes_back_as_it_was(Fact fact) {
        assertThat(LifecycleJson.event(LifecycleJson.encode(event(fact)))).isEqualTo(event(fact));
        assertThat(new String(LifecycleJson.encode(event(fact)), UTF_8)).contains("\"type\":\"" + fact.type() + "\"");
    }

    @Test
    void every_type_of_fact_is_in_this_test() {
        var known = Arrays.stream(Fact.class.getAnnotation(JsonSubTypes.class).value())
                .map(JsonSubTypes.Type::value);

        assertThat(facts())
                .extracting(Object::getClass)
                .containsExactlyElementsOf(known.<Class<?>>map(type -> type).toList());
        assertThat(Fact.class.getPermittedSubclasses())
                .as("and the one for what is not known")
                .hasSize(facts().size() + 1);
    }

    @Test
    void an_event_is_written_flat_with_its_type_beside_the_fact() {
        assertThat(new String(LifecycleJson.encode(event(new Fact.ActivityCompleted("Charge", 2L, 40L))), UTF_8))
                .isEqualTo(
                        "{\"id\":\"order-1:1:4:1700000000123:x\",\"instance\":\"order-1\",\"execution\":1,\"event\":4,"
                                + "\"time\":\"2023-11-14T22:13:20.123Z\",\"orchestration\":\"Order\",\"version\":\"1.0.0\","
                                + "\"parent\":{\"instance\":\"cart-7\",\"execution\":2,\"event\":5},\"correlation\":\"cart-7\","
                                + "\"fact\":{\"activity\":\"Charge\",\"scheduledBy\":2,\"durationMillis\":40},"
                                + "\"type\":\"activity-completed\"}");
    }

    @Test
    void a_fact_of_a_newer_relay_stays_whole() {
        var unknown = new Fact.Unknown("teleported", "{\"to\":\"Mars\",\"after\":1.50}");
        var text = new String(LifecycleJson.encode(event(new Fact.Started())), UTF_8)
                .replace("\"started\"", "\"teleported\"")
                .replace("\"fact\":{}", "\"fact\":" + unknown.json());

        assertThat(LifecycleJson.event(text.getBytes(UTF_8))).isEqualTo(event(unknown));
        assertThat(new String(LifecycleJson.encode(event(unknown)), UTF_8)).isEqualTo(text);
    }

    @Test
    void a_field_of_a_newer_relay_is_left_alone() {
        var text = new String(LifecycleJson.encode(event(new Fact.Started())), UTF_8);

        assertThat(LifecycleJson.event(
                        text.replace("{\"id\"", "{\"mood\":\"fine\",\"id\"").getBytes(UTF_8)))
                .isEqualTo(event(new Fact.Started()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'id':'i','instance':'o','execution':1,'event':1,'time':'2023-11-14T22:13:20Z','correlation':'o','fact':{}}",
                "{'id':'i','instance':'o','execution':1,'event':1,'time':'2023-11-14T22:13:20Z','correlation':'o','type':'started'}",
                "{'id':'i','instance':'o','execution':1,'event':1,'time':'2023-11-14T22:13:20Z','correlation':'o','type':'new'}",
                "{'id':'i','instance':'o','execution':1,'event':1,'time':'2023-11-14T22:13:20Z','correlation':'o','type':7,'fact':{}}",
                "{'instance':'o','execution':1,'event':1,'time':'2023-11-14T22:13:20Z','correlation':'o','type':'new','fact':{}}",
                "{'type':'new'}",
                "{}",
                "[]",
                "7",
                "null",
                "",
            })
    void what_lacks_its_type_its_fact_or_its_names_is_no_event(String text) {
        assertThatThrownBy(() -> LifecycleJson.event(text.replace('\'', '"').getBytes(UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("no LifecycleEvent");
    }

    static Stream<Object> values() {
        return Stream.of(
                new InstanceStatus(
                        "order-1",
                        "order-1",
                        "Order",
                        "1.0.0",
                        InstanceStatus.State.COMPLETED,
                        3,
                        null,
                        "order-1",
                        "packed",
                        "{}",
                        null,
                        TIME,
                        TIME,
                        new Counts(3, 2, 1),
                        Counts.NONE),
                new OrchestrationStatistics(
                        "Order",
                        TIME,
                        TIME.plusSeconds(60),
                        4,
                        3,
                        1,
                        0,
                        0,
                        new OrchestrationStatistics.Quantiles(4, 12.5, 10, 20, 30, 31)),
                new StuckInstance("order-1", "Order", null, 1, TIME, "ActivityScheduled", Duration.ofHours(1)));
    }

    @ParameterizedTest
    @MethodSource("values")
    void the_other_values_come_back_as_they_were(Object value) {
        assertThat((Object) LifecycleJson.decode(LifecycleJson.encode(value), value.getClass()))
                .isEqualTo(value);
    }

    @Test
    void bytes_that_are_no_such_record_are_refused_without_quoting_them() {
        assertThatThrownBy(() -> LifecycleJson.event("{\"secret".getBytes(UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no LifecycleEvent: line 1, column 9");
        assertThatThrownBy(() -> LifecycleJson.decode("{\"instance\":\"x\"}".getBytes(UTF_8), StuckInstance.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("no StuckInstance");
    }

    @Test
    void a_long_text_is_shortened_but_never_in_the_middle_of_a_character() {
        assertThat(Text.shortened("a".repeat(Text.LIMIT))).hasSize(Text.LIMIT).endsWith("a");
        assertThat(Text.shortened("a".repeat(Text.LIMIT + 1)))
                .hasSize(Text.LIMIT)
                .endsWith("…");
        assertThat(Text.shortened("a".repeat(Text.LIMIT - 2) + "😀b")).isEqualTo("a".repeat(Text.LIMIT - 2) + "…");
    }
}
