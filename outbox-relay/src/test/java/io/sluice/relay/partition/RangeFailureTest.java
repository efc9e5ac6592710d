package io.sluice.relay.partition;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.BridgeInternal;
import com.azure.cosmos.CosmosException;
import io.sluice.relay.feed.LateAnswerException;
import io.sluice.relay.partition.RangeFailure.Peer;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RangeFailureTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final RangeFailure failure = new RangeFailure(nanos::get);

    private void pass(int seconds) {
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    private static LateAnswerException late() {
        return new LateAnswerException(Duration.ofSeconds(10), "for the change feed of range 0-8");
    }

    private static CosmosException answer(int status, int subStatus) {
        var answer = BridgeInternal.createCosmosException(status, "no");
        BridgeInternal.setSubStatusCode(answer, subStatus);
        return answer;
    }

    @Test
    void a_store_that_does_not_answer_is_named_with_the_time_since_the_last_page() {
        pass(100);
        failure.worked();
        pass(11);
        failure.failed(late());
        pass(30);
        failure.asks(Peer.KAFKA);

        assertThat(failure.text(true))
                .contains("the store has not answered for 41 s: "
                        + "Cosmos DB did not answer within 10 s when asked for the change feed of range 0-8");
        assertThat(failure.text(false)).as("until a page was published").isPresent();
    }

    @Test
    void a_page_ends_it() {
        failure.failed(late());

        failure.worked();

        assertThat(failure.text(false)).isEmpty();
    }

    @Test
    void who_has_failed_is_told_by_the_failure() {
        pass(3);
        failure.asks(Peer.STORE);
        failure.failed(new IllegalStateException(new ProducerFencedException("another owner")));
        assertThat(failure.text(false))
                .hasValueSatisfying(text -> assertThat(text)
                        .startsWith("Kafka has failed for 3 s: ")
                        .contains("another owner"));

        failure.asks(Peer.KAFKA);
        failure.failed(answer(503, 0));
        assertThat(failure.text(false))
                .hasValueSatisfying(
                        text -> assertThat(text).startsWith("the store has refused for 3 s: Cosmos answered 503/0"));

        failure.failed(answer(408, 10_002));
        assertThat(failure.text(false))
                .hasValueSatisfying(text -> assertThat(text)
                        .as("a status of the client library's own")
                        .startsWith("the store has not answered for 3 s: Cosmos did not answer (408/10002)"));
    }

    @Test
    void what_does_not_tell_is_of_whom_was_asked() {
        failure.asks(Peer.KAFKA);

        failure.failed(new TimeoutException("the position"));

        assertThat(failure.text(false))
                .hasValueSatisfying(text -> assertThat(text)
                        .startsWith("Kafka has failed for 0 s: ")
                        .contains("the position"));
    }

    @Test
    void a_takeover_that_waits_for_long_says_for_whom_before_anything_has_failed() {
        failure.asks(Peer.STORE);
        pass(5);
        assertThat(failure.text(true)).isEmpty();
        pass(1);

        assertThat(failure.text(true)).contains("waits for the store, which has not answered for 6 s");
        assertThat(failure.text(false)).as("a page may be long in coming").isEmpty();
    }
}
