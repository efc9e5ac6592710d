package io.sluice.program.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
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
 * Sends responses in pieces, as fast as the client reads. A client that does not read costs the memory of its response,
 * and for no longer than the write timeout; the responses that are being sent have a common limit. Thread-safe.
 */
final class AnswerSender {
    private static final int PIECE_BYTES = 4 * 1024;
    private static final String CONTENT_SECURITY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'";

    private final Limits limits;
    private final AtomicLong unsentBytes = new AtomicLong();

    /**
     * Limits for clients that read slowly.
     *
     * @param writeTimeout after which the connection is closed if a piece of a response is not written
     * @param unsentBytes of all responses that are being sent; a larger one is sent alone
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

    /** Sends the response to a probe, also when the limit is reached. */
    Mono<Void> sendAlways(HttpServerResponse response, Answer answer) {
        return write(response, answer, bytes(answer));
    }

    /** Sends a response, or 503 when the limit is reached. */
    Mono<Void> send(HttpServerResponse response, Answer answer) {
        var body = bytes(answer);
        long before = unsentBytes.getAndAdd(body.length);
        if (before > 0 && before + body.length > limits.unsentBytes()) {
            unsentBytes.addAndGet(-body.length);
            return sendAlways(response, Answer.error(503, "too many responses are being sent, try again later"));
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
                .send(response.method().equals(HttpMethod.HEAD) ? Flux.empty() : pieces(body))
                .then();
    }

    private static Flux<ByteBuf> pieces(byte[] body) {
        return Flux.range(0, (body.length + PIECE_BYTES - 1) / PIECE_BYTES)
                .map(piece -> piece * PIECE_BYTES)
                .map(from -> Unpooled.wrappedBuffer(body, from, Math.min(PIECE_BYTES, body.length - from)));
    }
}
