package io.sluice.provider.cosmos.deletion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.ProviderException;
import io.sluice.provider.request.Call;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ExpectedRelayTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Call call = Call.onContainer("deleteInstance", Duration.ofMinutes(1));
    private final AtomicBoolean isPublished = new AtomicBoolean();
    private final AtomicBoolean isAway = new AtomicBoolean();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
    private final ExpectedRelay relay = ExpectedRelay.where(
            each -> {
                asked.incrementAndGet();
                if (isAway.get()) {
                    throw ProviderException.retryable("read", "the store is away", null);
                }
                return isPublished.get();
            },
            TIMEOUT,
            nanos::get);

    private void pass(long seconds) {
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    @Test
    void a_relay_that_comes_is_noticed_within_seconds_and_many_removals_ask_once() {
        assertThat(relay.timeout(call)).isEmpty();
        isPublished.set(true);
        pass(4);
        assertThat(relay.timeout(call)).isEmpty();
        assertThat(asked).hasValue(1);
        pass(2);

        assertThat(relay.timeout(call)).contains(TIMEOUT);

        pass(50);
        assertThat(relay.timeout(call)).contains(TIMEOUT);
        assertThat(asked).hasValue(2);
    }

    @Test
    void a_registration_that_is_released_is_forgotten_after_a_minute() {
        isPublished.set(true);
        assertThat(relay.timeout(call)).contains(TIMEOUT);
        isPublished.set(false);
        pass(61);

        assertThat(relay.timeout(call)).isEmpty();
        assertThat(relay.longest()).as("what a removal may take").isEqualTo(TIMEOUT);
    }

    @Test
    void a_relay_that_was_there_is_expected_while_the_store_does_not_say() {
        isAway.set(true);
        assertThatThrownBy(() -> relay.timeout(call)).isInstanceOf(ProviderException.class);
        isAway.set(false);
        isPublished.set(true);
        assertThat(relay.timeout(call)).contains(TIMEOUT);
        isAway.set(true);
        pass(61);

        assertThat(relay.timeout(call)).contains(TIMEOUT);
    }

    @Test
    void one_that_was_told_of_asks_nobody() {
        assertThat(ExpectedRelay.always(TIMEOUT).timeout(call)).contains(TIMEOUT);
        assertThat(ExpectedRelay.always(null).timeout(call)).isEmpty();
        assertThat(ExpectedRelay.always(null).longest()).isZero();
    }
}
