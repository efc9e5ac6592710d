package io.sluice.relay.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.timeout.WriteTimeoutHandler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Sends answers piece by piece, as fast as the client reads. A client that does not read costs no more than its answer,
 * and for no longer than the write timeout; all answers that are being sent have a limit in bytes. Thread-safe.
 */
final class AnswerSender {
    private static final int PIECE_BYTES = 4 * 1024;
    private static final String CONTENT_SECURITY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'";

    private final Limits limits;
    private final AtomicLong unsentBytes = new AtomicLong();

    /**
     * What clients may cost that read slowly.
     *
     * @param writeTimeout how long one piece of an answer may take until the connection is closed
     * @param unsentBytes of all answers that are being sent; a larger one is sent alone
     */
    record Limits(Duration writeTimeout, long unsentBytes) {
        static final Limits USUAL = new Limits(Duration.ofSeconds(30), 16L * 1024 * 1024);
    }

    AnswerSender(Limits limits) {
        this.limits = limits;
    }

    /** Closes a connection whose client does not read. */
    void watch(Connection connection) {
        connection.addHandlerLast(new WriteTimeoutHandler(limits.writeTimeout().toMillis(), TimeUnit.MILLISECONDS));
    }

    /** Sends an answer of a probe, however many others are being sent. */
    Mono<Void> sendAlways(HttpServerResponse response, Answer answer) {
        return write(response, answer, bytes(answer));
    }

    /** Sends an answer, or tells the client to come back later while too much is being sent. */
    Mono<Void> send(HttpServerResponse response, Answer answer) {
        var body = bytes(answer);
        long before = unsentBytes.getAndAdd(body.length);
        if (before > 0 && before + body.length > limits.unsentBytes()) {
            unsentBytes.addAndGet(-body.length);
            return sendAlways(response, Answer.error(503, "too many answers are being sent, come back later"));
        }
        return write(response, answer, body).doFinally(end -> unsentBytes.addAndGet(-body.length));
    }

    private static byte[] bytes(Answer answer) {
        return answer.body().getBytes(StandardCharsets.UTF_8);
    }

    private static Mono<Void> write(HttpServerResponse response, Answer answer, byte[] body) {
        answer.headers().forEach(response::header);
        return response.status(answer.status())
                .header(HttpHeaderNames.CONTENT_TYPE, answer.contentType())
                .header(HttpHeaderNames.CONTENT_LENGTH, String.valueOf(body.length))
                .header(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .header(HttpHeaderNames.X_FRAME_OPTIONS, "DENY")
                .header("X-Content-Type-Options", "nosniff")
                .header(HttpHeaderNames.CONTENT_SECURITY_POLICY, CONTENT_SECURITY)
                .send(pieces(body))
                .then();
    }

    private static Flux<ByteBuf> pieces(byte[] body) {
        return Flux.range(0, (body.length + PIECE_BYTES - 1) / PIECE_BYTES)
                .map(piece -> piece * PIECE_BYTES)
                .map(from -> Unpooled.wrappedBuffer(body, from, Math.min(PIECE_BYTES, body.length - from)));
    }
}
