package io.sluice.relay.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.TestDocuments;
import io.sluice.relay.dispatch.FoundWork.Activity;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HeldActivitiesTest {
    private final HeldActivities held = new HeldActivities(3);

    private static List<Activity> activities(long... times) {
        return LongStream.of(times).mapToObj(at -> activity("a" + at, at)).toList();
    }

    private static Activity activity(String id, long at) {
        return FoundWork.in(List.of(TestDocuments.activity("order", id, at).put("_etag", "\"1\"")))
                .activities()
                .get(0);
    }

    @Test
    void they_come_out_at_their_times_the_earliest_first() {
        held.hold(activities(30, 10, 20));

        assertThat(held.nextAt()).isEqualTo(10);
        assertThat(held.takeDue(20, 10)).extracting(Activity::id).containsExactly("a10", "a20");
        assertThat(held.takeDue(20, 10)).isEmpty();
        assertThat(held.nextAt()).isEqualTo(30);
    }

    @Test
    void those_with_the_latest_times_are_left_out_and_the_earliest_of_them_is_known() {
        assertThat(held.hold(activities(10, 20, 30))).isEqualTo(HeldActivities.NEVER);

        assertThat(held.hold(activities(5, 40, 7))).isEqualTo(20);

        assertThat(held.takeDue(100, 10)).extracting(Activity::id).containsExactly("a5", "a7", "a10");
    }

    @Test
    void what_was_taken_out_does_not_replace_a_later_version() {
        held.hold(activities(10, 20));
        List<Activity> taken = held.takeDue(20, 10);
        held.hold(List.of(activity("a10", 50)));
        held.hold(activities(60, 70));

        assertThat(held.holdAgain(taken)).as("a70 is left out for a20").isEqualTo(70);

        assertThat(held.takeDue(100, 10)).extracting(Activity::dueAt).containsExactly(20L, 50L, 60L);
    }

    @Test
    void a_later_version_takes_the_place_of_the_earlier_one() {
        held.hold(List.of(activity("same", 10)));
        held.hold(List.of(activity("same", 50)));

        assertThat(held.size()).isEqualTo(1);
        assertThat(held.nextAt()).isEqualTo(50);
        held.forget(List.of("same"));
        assertThat(held.nextAt()).isEqualTo(HeldActivities.NEVER);
    }
}
