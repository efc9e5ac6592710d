package io.sluice.relay.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EventIdTest {
    @ParameterizedTest
    @ValueSource(strings = {"order-1", "", "a:b", "a:1:2:3", "two\nlines", "::"})
    void is_read_as_it_is_written(String instance) {
        var id = new EventId(instance, 1, 22, -5);

        assertThat(EventId.parse(id.toString())).contains(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "order-1", "order-1:deleted:abc", "a:1:2", "a:1:2:x", "a:1:2:99999999999999999999"})
    void other_texts_are_none(String text) {
        assertThat(EventId.parse(text)).isEmpty();
    }

    @Test
    void has_the_form_that_consumers_know() {
        assertThat(new EventId("order-1", 1, 2, 5)).hasToString("order-1:1:2:5");
    }
}
