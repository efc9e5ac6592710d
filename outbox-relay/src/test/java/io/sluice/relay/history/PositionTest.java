package io.sluice.relay.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.KeyRange;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PositionTest {
    private static final RangeId SECOND_OF_FOUR = new RangeId(KeyRange.cut(4).get(1), "rid-1", 8);

    @Test
    void a_position_survives_being_written_and_read() throws PositionRefusedException {
        var position = Position.beginning(SECOND_OF_FOUR, "topic-1").at("token");

        assertThat(Position.parse(position.encode())).contains(position);
    }

    @Test
    void the_beginning_survives_being_written_and_read() throws PositionRefusedException {
        var position = Position.beginning(SECOND_OF_FOUR, "topic-1");

        assertThat(Position.parse(position.encode())).contains(position);
    }

    @Test
    void the_right_range_is_accepted() throws PositionRefusedException {
        Position.beginning(SECOND_OF_FOUR, "topic-1").at("token").requireRange(SECOND_OF_FOUR);
    }

    @Test
    void other_partitions_of_the_positions_topic_are_refused() {
        var position = Position.beginning(new RangeId(SECOND_OF_FOUR.bounds(), "rid-1", 16), "topic-1")
                .at("token");

        assertThatThrownBy(() -> position.requireRange(SECOND_OF_FOUR))
                .as("somebody added partitions to the positions topic: who owns a range would not be known")
                .isInstanceOf(PositionRefusedException.class)
                .hasMessageContaining("16 partitions")
                .hasMessageContaining("8 partitions");
    }

    @Test
    void a_range_of_a_single_hash_has_a_position() {
        var sliver = new RangeId(
                new KeyRange("1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", "20000000000000000000000000000000"), "rid-1", 8);
        var position = Position.beginning(sliver, "topic-1");

        assertThat(Position.parse(position.encode()))
                .as("the service's bounds lie beside those of earlier releases")
                .contains(position);
    }

    @Test
    void bounds_that_are_none_are_no_position() {
        var text = new String(Position.beginning(SECOND_OF_FOUR, "topic-1").encode(), UTF_8);

        assertThat(Position.parse(text.replace("\"max\":\"2", "\"max\":\"x").getBytes(UTF_8)))
                .isEmpty();
        assertThat(Position.parse(text.replace("\"max\":\"2", "\"max\":\"0").getBytes(UTF_8)))
                .isEmpty();
    }

    @Test
    void the_end_of_a_range_survives_being_written_and_read() {
        var end = Position.beginning(SECOND_OF_FOUR, "topic-1").at("token").end();

        assertThat(Position.parse(end.encode())).contains(end);
        assertThat(end.ended()).isTrue();
    }

    @Test
    void trust_survives_being_written_and_a_page_without_documents_and_ends_with_the_next() {
        var trusted = Position.beginning(SECOND_OF_FOUR, "topic-1")
                .at("token-9")
                .refusedFor("ahead")
                .trustedFrom("token-4");
        var document = JsonNodeFactory.instance.objectNode();

        assertThat(Position.parse(trusted.encode())).contains(trusted);
        assertThat(trusted.isRefused()).isFalse();
        assertThat(trusted.floor()).isEqualTo("token-4");
        assertThat(trusted.after(new FeedPage(List.of(), "token-9")).floor()).isEqualTo("token-4");
        assertThat(trusted.after(new FeedPage(List.of(document), "token-5")).floor())
                .isEqualTo("token-5");
    }

    @Test
    void parts_of_a_trusted_range_are_trusted_until_their_next_event() {
        var trusted = Position.beginning(SECOND_OF_FOUR, "topic-1")
                .at("token-9")
                .refusedFor("ahead")
                .trustedFrom("token-4");
        var half = new KeyRange(SECOND_OF_FOUR.bounds().min(), "15");

        assertThat(trusted.after(new FeedPage(List.of(), "token-9"))
                        .part(half, "token-9")
                        .floor())
                .isEqualTo("token-4");
        var document = JsonNodeFactory.instance.objectNode();
        assertThat(trusted.after(new FeedPage(List.of(document), "token-11"))
                        .part(half, "token-11")
                        .floor())
                .isEqualTo("token-11");
    }

    @Test
    void a_position_of_an_earlier_release_is_one_only_for_who_asks() {
        var earlier = ("{\"schemaVersion\":1,\"min\":\"\",\"max\":\"1FFF\",\"ranges\":2,\"containerRid\":\"rid-1\","
                        + "\"continuation\":\"token\",\"historyTopicId\":\"topic-1\"}")
                .getBytes(UTF_8);

        assertThat(Position.parse(earlier)).isEmpty();
        assertThat(Position.parseEarlier(earlier, 8))
                .contains(Position.beginning(new RangeId(new KeyRange("", "1FFF"), "rid-1", 8), "topic-1")
                        .at("token"));
    }

    @Test
    void another_container_is_refused() {
        var position = Position.beginning(new RangeId(SECOND_OF_FOUR.bounds(), "rid-0", 8), "topic-1")
                .at("token");

        assertThatThrownBy(() -> position.requireRange(SECOND_OF_FOUR))
                .as("the container was deleted and made anew")
                .isInstanceOf(PositionRefusedException.class)
                .hasMessageContaining("rid-0");
    }

    @Test
    void a_newer_schema_is_refused() throws PositionRefusedException {
        var text = new String(Position.beginning(SECOND_OF_FOUR, "topic-1").encode(), UTF_8)
                .replace("\"schemaVersion\":2", "\"schemaVersion\":3");

        var position = Position.parse(text.getBytes(UTF_8)).orElseThrow();

        assertThatThrownBy(() -> position.requireRange(SECOND_OF_FOUR)).isInstanceOf(PositionRefusedException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "7", "null", "[]", "{}", "{\"id\":\"c-1\",\"status\":\"accepted\",\"instance\":\"a\"}"})
    void what_others_write_is_no_position(String text) {
        assertThat(Position.parse(text.getBytes(UTF_8))).isEmpty();
    }
}
