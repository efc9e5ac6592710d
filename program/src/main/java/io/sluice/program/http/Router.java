package io.sluice.program.http;

import io.netty.handler.codec.http.QueryStringDecoder;
import io.sluice.program.FailureReason;
import io.sluice.provider.ProviderException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the endpoint of a request, and checks the token. Thread-safe. */
final class Router {
    private static final Logger LOG = LoggerFactory.getLogger(Router.class);
    private static final int LONGEST_PATH = 4_096;

    private final List<Endpoint> endpoints;
    private final OpsPort port;
    private final @Nullable OpsToken token;

    Router(List<Endpoint> endpoints, OpsPort port) {
        // An exact path takes precedence over one with a segment in braces.
        this.endpoints = endpoints.stream()
                .sorted(Comparator.comparing(endpoint -> endpoint.segments().stream()
                        .filter(segment -> segment.startsWith("{"))
                        .count()))
                .toList();
        this.port = port;
        this.token = port.token() == null ? null : new OpsToken(port.token());
    }

    /**
     * A request without its body, which no endpoint accepts.
     *
     * @param uri path and query as they were sent
     * @param authorization value of the header; empty if it is missing
     * @param hasBody whether it has a body
     */
    record Request(String method, String uri, String authorization, boolean hasBody) {}

    /** Whether a request is a probe, which must not wait. */
    boolean isProbe(Request request) {
        var asked = Endpoint.split(new QueryStringDecoder(request.uri()).rawPath());
        return endpoints.stream()
                .anyMatch(endpoint -> endpoint.kind() == Endpoint.Kind.PROBE
                        && endpoint.segments().equals(asked));
    }

    Answer answer(Request request) {
        if (request.uri().length() > LONGEST_PATH) {
            return Answer.error(414, "the path must have at most " + LONGEST_PATH + " characters");
        }
        if (request.hasBody()) {
            return Answer.error(413, "no endpoint accepts a body");
        }
        try {
            return routed(request);
        } catch (IllegalArgumentException e) {
            return Answer.error(400, String.valueOf(e.getMessage()));
        } catch (ProviderException e) {
            return Answer.error(e.retryable() ? 503 : 409, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.error(503, "this process is closing");
        } catch (Exception e) {
            LOG.atWarn()
                    .addKeyValue("path", request.uri())
                    .setCause(e)
                    .log("a request of an operator failed, the answer was 500");
            return Answer.error(500, FailureReason.of(e));
        }
    }

    private Answer routed(Request request) throws Exception {
        var query = new QueryStringDecoder(request.uri());
        var segments = Endpoint.split(query.rawPath()).stream()
                .map(QueryStringDecoder::decodeComponent)
                .toList();
        var there = endpoints.stream()
                .filter(endpoint -> endpoint.match(segments).isPresent())
                .toList();
        if (there.isEmpty()) {
            return Answer.error(404, "there is nothing at this path");
        }
        // HEAD is a GET whose body the sender leaves out.
        var method = request.method().equals("HEAD") ? "GET" : request.method();
        for (var endpoint : there) {
            if (endpoint.method().equals(method)) {
                var refusal = endpoint.changes() ? refusal(request.authorization()) : null;
                return refusal == null
                        ? endpoint.handler()
                                .answer(new Endpoint.Call(
                                        endpoint.match(segments).orElseThrow(), last(query, endpoint)))
                        : refusal;
            }
        }
        var allowed = there.stream()
                .map(endpoint -> endpoint.method().equals("GET") ? "GET, HEAD" : endpoint.method())
                .collect(Collectors.joining(", "));
        return Answer.error(405, "this path takes " + allowed).with("Allow", allowed);
    }

    private @Nullable Answer refusal(String authorization) {
        if (token == null) {
            return Answer.error(
                    403,
                    "this process has no token, so nothing can be changed over HTTP: " + port.tokenVariables()
                            + " and restart it");
        }
        return token.isIn(authorization)
                ? null
                : Answer.error(401, "this changes something: send Authorization: Bearer and the token")
                        .with("WWW-Authenticate", "Bearer");
    }

    /** Parameters of probes are ignored: the programs that call them may add their own. */
    private static Map<String, String> last(QueryStringDecoder query, Endpoint endpoint) {
        Map<String, String> parameters = new HashMap<>();
        query.parameters().forEach((name, values) -> {
            var value = values.get(values.size() - 1);
            if (endpoint.kind() != Endpoint.Kind.PROBE && !endpoint.parameters().contains(name)) {
                throw new IllegalArgumentException("this path takes "
                        + (endpoint.parameters().isEmpty()
                                ? "no parameters"
                                : String.join(", ", new TreeSet<>(endpoint.parameters())))
                        + ", was \"" + name + "\"");
            }
            if (!value.isEmpty()) {
                parameters.put(name, value);
            }
        });
        return parameters;
    }
}
