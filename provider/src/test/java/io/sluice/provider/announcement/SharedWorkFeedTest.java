package io.sluice.provider.announcement;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.feed.ManualWorkFeed;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SharedWorkFeedTest {
    private static final WorkStore STORE = new WorkStore("account", "sluice", "orders", "rid-1");

    private final ManualWorkFeed feed = new ManualWorkFeed();
    private final WorkFeed one = feed.shared();
    private final WorkFeed other = feed.shared();

    private enum Nobody implements WorkFeed.Listener {
        LISTENS;

        @Override
        public void announced(Announcement announcement, WorkFeed.Receipt receipt) {
            receipt.handled();
        }

        @Override
        public void lost() {
            // has nothing to query
        }

        @Override
        public void healthChanged() {
            // nor to do
        }
    }

    @Test
    void closed_by_one_provider_it_goes_on_for_the_other() {
        WorkFeed.Subscription ofOne = one.subscribe(STORE, WorkQueue.TURNS, "one", Nobody.LISTENS);
        WorkFeed.Subscription ofOther = other.subscribe(STORE, WorkQueue.TURNS, "other", Nobody.LISTENS);

        one.close();

        assertThat(feed.subscribed()).containsExactly("other");
        assertThat(ofOne.isHealthy()).isFalse();
        assertThat(ofOther.isHealthy()).isTrue();
    }

    @Test
    void what_is_subscribed_to_after_that_ends_at_once() {
        one.close();

        WorkFeed.Subscription late = one.subscribe(STORE, WorkQueue.ACTIVITIES, "late", Nobody.LISTENS);

        assertThat(late.isHealthy()).isFalse();
        assertThat(feed.subscribed()).isEmpty();
        assertThat(feed.everSubscribed()).containsExactly("late");
    }

    @Test
    void a_subscription_is_closed_once() {
        WorkFeed.Subscription first = one.subscribe(STORE, WorkQueue.TURNS, "same", Nobody.LISTENS);
        one.subscribe(STORE, WorkQueue.TURNS, "same", Nobody.LISTENS);

        first.close();
        first.close();
        assertThat(feed.subscribed()).containsExactly("same");
        one.close();

        assertThat(feed.subscribed()).isEmpty();
    }

    @Test
    void it_says_what_the_feed_says() {
        feed.setOwnWorkAfter(Duration.ofMillis(7));
        feed.setCompletionsWithin(Duration.ofMillis(9));
        WorkFeed.Subscription subscription = one.subscribe(STORE, WorkQueue.TURNS, "", Nobody.LISTENS);
        subscription.request(3);
        subscription.askForHelp(Announcement.check("i"));

        assertThat(one.ownWorkAfter()).hasMillis(7);
        assertThat(one.completionsWithin()).hasMillis(9);
        assertThat(one.takesHelpRequests()).isEqualTo(feed.takesHelpRequests());
        assertThat(subscription.isOwn("i")).isTrue();
        assertThat(feed.requested()).containsExactly(3);
        assertThat(feed.helpAsked()).containsExactly(Announcement.check("i"));
    }
}
