package io.sluice.provider.kafka.demand;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DemandTest {
    private static final long LONG_MILLIS = TimeUnit.SECONDS.toMillis(30);

    private final Demand demand = new Demand();

    @Test
    void a_fetch_is_for_one_free_worker() throws InterruptedException {
        demand.request(2);

        assertThat(demand.tryBeginFetch(0)).isTrue();
        assertThat(demand.tryBeginFetch(0)).isTrue();
        assertThat(demand.tryBeginFetch(0)).isFalse();
    }

    @Test
    void a_worker_that_gets_what_was_fetched_for_it_is_never_without_a_fetch_meanwhile() throws Exception {
        demand.request(1);
        assertThat(demand.tryBeginFetch(0)).isTrue();
        CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(this::awaitUnmet);

        assertThat(demand.endFetchAndTryTake()).isTrue();
        assertThat(demand.awaitUnmet(0)).isFalse();
        assertThat(other).isNotDone();

        demand.request(1);
        assertThat(other.get(LONG_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
    }

    @Test
    void what_was_fetched_for_a_worker_that_is_gone_is_for_none() throws InterruptedException {
        demand.request(1);
        assertThat(demand.tryBeginFetch(0)).isTrue();
        demand.request(0);

        assertThat(demand.endFetchAndTryTake()).isFalse();
        demand.request(1);
        assertThat(demand.tryBeginFetch(0)).isTrue();
    }

    private boolean awaitUnmet() {
        try {
            return demand.awaitUnmet(LONG_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
