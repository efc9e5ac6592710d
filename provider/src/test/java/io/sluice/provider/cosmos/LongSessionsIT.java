package io.sluice.provider.cosmos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.ProviderException;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An activity of a session is taken only where its session can be stored, once somebody fetches it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LongSessionsIT {
    private static final Duration LOCK = Duration.ofSeconds(30);
    /** It has to be hashed beside a long instance id. */
    private static final String SESSION = "s/".repeat(300);

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosProvider provider;

    @BeforeEach
    void open() {
        provider = fixture.provider();
    }

    private static WorkItem activity(int length) {
        return new WorkItem.ActivityExecute("i".repeat(length), 1, 2, "charge", "{}", SESSION, null);
    }

    @Test
    void the_longest_instance_id_that_the_limits_page_names_has_sessions() {
        provider.enqueueForWorker(activity(947));

        assertThat(provider.fetchWorkItem(
                        LOCK, Duration.ZERO, new SessionFetchConfig("owner", LOCK), TagFilter.defaultOnly()))
                .hasValueSatisfying(item -> assertThat(item.item()).isEqualTo(activity(947)));
    }

    @Test
    void a_session_that_can_not_be_stored_is_refused_by_the_writer() {
        assertThatThrownBy(() -> provider.enqueueForWorker(activity(949)))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining("ActivityExecute.sessionId makes a document id of 1024 bytes of UTF-8");

        assertThat(provider.asManagementCapability()
                        .orElseThrow()
                        .getQueueDepths()
                        .workerQueue())
                .isZero();
    }
}
