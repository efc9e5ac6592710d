package io.sluice.relay.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.BridgeInternal;
import com.azure.cosmos.CosmosException;
import io.sluice.program.FailureReason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BoundedAnswerTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Test
    void an_answer_comes_as_it_is_be_it_empty() {
        assertThat(BoundedAnswer.of(Mono.just("page"), LIMIT, "for a page")).contains("page");
        assertThat(BoundedAnswer.of(Mono.empty(), LIMIT, "for a page")).isEmpty();
    }

    @Test
    void none_within_the_limit_is_a_sentence_and_the_request_is_given_up() {
        var cancelled = new AtomicBoolean();
        var never = Mono.never().doOnCancel(() -> cancelled.set(true));

        assertThatThrownBy(() -> BoundedAnswer.of(never, Duration.ofMillis(20), "for its feed ranges"))
                .isInstanceOfSatisfying(
                        LateAnswerException.class,
                        late -> assertThat(FailureReason.of(late))
                                .isEqualTo("Cosmos DB did not answer within 0.02 s when asked for its feed ranges"))
                .as("which passes")
                .hasCauseInstanceOf(TimeoutException.class);
        assertThat(cancelled).isTrue();
    }

    @Test
    void pages_that_stop_coming_end_with_a_sentence() {
        var pages = BoundedAnswer.each(
                        Flux.concat(Flux.just(1, 2), Flux.never()), Duration.ofMillis(200), "for the histories")
                .toIterable(1)
                .iterator();

        assertThat(List.of(pages.next(), pages.next())).containsExactly(1, 2);
        assertThatThrownBy(pages::hasNext)
                .isInstanceOf(LateAnswerException.class)
                .hasMessage("Cosmos DB did not answer within 0.2 s when asked for the histories");
    }

    @Test
    void a_refusal_is_the_client_librarys_own() {
        var refusal = BridgeInternal.createCosmosException(409, "there");

        assertThatThrownBy(() -> BoundedAnswer.of(Mono.error(refusal), LIMIT, "to create it"))
                .isInstanceOf(CosmosException.class)
                .isSameAs(refusal);
    }

    @Test
    void an_interrupt_ends_the_wait_and_stays() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> BoundedAnswer.of(Mono.never(), LIMIT, "for a page"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("interrupted while Cosmos DB was asked for a page");
        assertThat(Thread.interrupted()).isTrue();
    }
}
