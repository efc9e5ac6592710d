package io.sluice.relay.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.util.CoreUtils;
import io.sluice.relay.feed.FeedContinuation.Part;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FeedContinuationTest {
    private static FeedContinuation of(Part... parts) {
        return new FeedContinuation(List.of(parts));
    }

    private static final FeedContinuation WHOLE_AT_100 = of(new Part("", "FF", 100));

    @Test
    void a_feed_that_ends_where_it_was_read_to_or_later_is_sound() {
        assertThat(WHOLE_AT_100.aheadOf(WHOLE_AT_100)).isEmpty();
        assertThat(WHOLE_AT_100.aheadOf(of(new Part("", "FF", 101)))).isEmpty();
    }

    @Test
    void a_feed_that_ends_earlier_is_told() {
        assertThat(WHOLE_AT_100.aheadOf(of(new Part("", "FF", 99))))
                .contains("read up to 100 in [, FF), where the feed ends at 99");
    }

    @Test
    void each_child_of_a_split_is_compared_with_its_parent() {
        assertThat(WHOLE_AT_100.aheadOf(of(new Part("", "1F", 100), new Part("1F", "FF", 120))))
                .isEmpty();
        assertThat(WHOLE_AT_100.aheadOf(of(new Part("", "1F", 130), new Part("1F", "FF", 20))))
                .isPresent();
    }

    @Test
    void each_of_the_merged_is_compared_with_the_whole() {
        var parts = of(new Part("", "1F", 100), new Part("1F", "FF", 40));

        assertThat(parts.aheadOf(WHOLE_AT_100)).isEmpty();
        assertThat(parts.aheadOf(of(new Part("", "FF", 99)))).isPresent();
    }

    @Test
    void parts_that_only_touch_say_nothing_of_each_other() {
        assertThat(of(new Part("", "1F", 100)).aheadOf(of(new Part("1F", "FF", 1))))
                .isEmpty();
    }

    @Test
    void an_answer_of_an_earlier_copy_is_known_by_its_session_token() {
        assertThat(WHOLE_AT_100.isBeyond("0:-1#99")).isTrue();
        assertThat(WHOLE_AT_100.isBeyond("0:7#99#1=98")).isTrue();
        assertThat(WHOLE_AT_100.isBeyond("0:99")).isTrue();
        assertThat(WHOLE_AT_100.isBeyond("0:-1#100")).isFalse();
        assertThat(WHOLE_AT_100.isBeyond("nonsense")).isFalse();
    }

    private static String encoded(String json) {
        return Base64.getUrlEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void the_form_that_is_known_is_that_of_the_sdk_that_is_built_with() {
        assertThat(CoreUtils.getProperties("azure-cosmos.properties"))
                .containsEntry("version", FeedContinuation.KNOWN_SDK);
    }

    @Test
    void another_form_is_told_with_the_version_that_is_there_and_the_one_to_put_there() {
        for (var json : List.of(
                "{\"V\":2}",
                "{\"Continuation\":{\"Continuation\":[{\"token\":\"5\",\"epk\":{\"min\":\"\",\"max\":\"FF\"}}]}}",
                "{\"Continuation\":{\"Continuation\":[{\"token\":\"later\",\"range\":{\"min\":\"\",\"max\":\"FF\"}}]}}")) {
            assertThatThrownBy(() -> FeedContinuation.parse(encoded(json)))
                    .as(json)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("azure-cosmos " + FeedContinuation.KNOWN_SDK + " is on the class path")
                    .hasMessageContaining("put that version there");
        }
        assertThatThrownBy(() -> FeedContinuation.split(encoded("{\"V\":2}")))
                .as("the same where a range is looked at for a split")
                .hasMessageContaining("put that version there");
    }

    @Test
    void another_form_is_told_and_and_never_taken_for_a_beginning() {
        var other = Base64.getUrlEncoder().encodeToString("{\"V\":2}".getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> FeedContinuation.parse(other)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> FeedContinuation.parse("%")).isInstanceOf(IllegalStateException.class);
    }
}
