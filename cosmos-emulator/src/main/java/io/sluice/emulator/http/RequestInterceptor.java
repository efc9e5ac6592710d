package io.sluice.emulator.http;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.http.RequestPipeline.Exchange;
import io.sluice.emulator.http.RequestPipeline.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import reactor.core.publisher.Mono;

/** Sees every request before it is served, may inject a fault, and sees the response. Thread-safe. */
public interface RequestInterceptor {
    /** Decides what happens to a request that has just arrived. */
    Action intercept(LoggedRequest request);

    /** Receives a request with its response, which is about to be sent or lost. */
    void record(LoggedRequest request);

    /** What happens to a request. */
    sealed interface Action {
        /** Takes the request to its outcome. */
        Mono<Outcome> perform(Exchange exchange);
    }

    /** It is served. */
    record Proceed() implements Action {
        @Override
        public Mono<Outcome> perform(Exchange exchange) {
            return Mono.just(exchange.serve(null));
        }
    }

    /** It gets an error status and is not served. */
    record Refuse(int status, int subStatus) implements Action {
        /** Checks the status. */
        public Refuse {
            if (status < 300 || status > 599) {
                throw new IllegalArgumentException("status must be 300 to 599, was " + status);
            }
        }

        @Override
        public Mono<Outcome> perform(Exchange exchange) {
            return Mono.just(exchange.refuse(status, subStatus, "refuse"));
        }
    }

    /** It is served, and its connection is closed in place of a response. */
    record LoseAnswer() implements Action {
        @Override
        public Mono<Outcome> perform(Exchange exchange) {
            exchange.serve("loseAnswer");
            return Mono.just(exchange.noResponse());
        }
    }

    /** It is served, and gets an error status as if it had been refused. */
    record AnswerInstead(Refuse answer) implements Action {
        @Override
        public Mono<Outcome> perform(Exchange exchange) {
            exchange.serve("answerInstead");
            return Mono.just(exchange.instead(answer.status(), answer.subStatus()));
        }
    }

    /** Its connection is closed, and it is not served. */
    record DropConnection() implements Action {
        @Override
        public Mono<Outcome> perform(Exchange exchange) {
            exchange.drop("dropConnection");
            return Mono.just(exchange.noResponse());
        }
    }

    /** Something else happens first, and then it is served. */
    record RunBefore(Consumer<LoggedRequest> work) implements Action {
        @Override
        public Mono<Outcome> perform(Exchange exchange) {
            return exchange.runThenServe(work, "runBefore");
        }
    }

    /** It is served, and something else happens before the client gets the response. */
    record RunAfter(Consumer<LoggedRequest> work) implements Action {
        @Override
        public Mono<Outcome> perform(Exchange exchange) {
            return exchange.serveThenRun(work, "runAfter");
        }
    }

    /** It waits, and is served then. */
    record Delay(Duration duration) implements Action {
        @Override
        public Mono<Outcome> perform(Exchange exchange) {
            return exchange.serveLater(duration, "delay");
        }
    }

    /** Its connection is closed at once; it is served when the signal completes, long after the client gave up. */
    record ServeLate(CompletionStage<?> signal) implements Action {
        @Override
        public Mono<Outcome> perform(Exchange exchange) {
            exchange.serveOn(signal, "serveLate");
            return Mono.just(exchange.noResponse());
        }
    }

    /**
     * It is served, but a batch loses its conditions. The service never does that: with this fault a test proves that
     * it would notice a store that ignores conditions.
     */
    record ForgetConditions() implements Action {
        @Override
        public Mono<Outcome> perform(Exchange exchange) {
            return Mono.just(exchange.serveWithoutConditions("forgetConditions"));
        }
    }
}
