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

    List<Endpoint> endpoints() {
        return endpoints;
    }

    /** What a request is for. */
    sealed interface Route {
        /**
         * A call of an endpoint.
         *
         * @param trusted whether the request has the token
         */
        record Found(Endpoint endpoint, Endpoint.Call call, boolean trusted) implements Route {}

        /** No endpoint may answer: this is the response. */
        record None(Answer answer) implements Route {}
    }

    /** Finds the endpoint, without a wait. */
    Route route(Request request) {
        if (request.uri().length() > LONGEST_PATH) {
            return new Route.None(Answer.error(414, "the path must have at most " + LONGEST_PATH + " characters"));
        }
        if (request.hasBody()) {
            return new Route.None(Answer.error(413, "no endpoint accepts a body"));
        }
        try {
            return found(request);
        } catch (IllegalArgumentException e) {
            return new Route.None(Answer.error(400, String.valueOf(e.getMessage())));
        }
    }

    private Route found(Request request) {
        var query = new QueryStringDecoder(request.uri());
        var segments = Endpoint.split(query.rawPath()).stream()
                .map(QueryStringDecoder::decodeComponent)
                .toList();
        var there = endpoints.stream()
                .filter(endpoint -> endpoint.match(segments).isPresent())
                .toList();
        if (there.isEmpty()) {
            return new Route.None(Answer.error(404, "there is nothing at this path"));
        }
        // HEAD is a GET whose body the sender leaves out.
        var method = request.method().equals("HEAD") ? "GET" : request.method();
        boolean trusted = token != null && token.isIn(request.authorization());
        for (var endpoint : there) {
            if (endpoint.method().equals(method) && endpoint.answers(last(query, Endpoint.LOCAL))) {
                return endpoint.changes() && !trusted
                        ? new Route.None(refusal())
                        : new Route.Found(
                                endpoint,
                                new Endpoint.Call(endpoint.match(segments).orElseThrow(), last(query, endpoint)),
                                trusted);
            }
        }
        var allowed = there.stream()
                .map(endpoint -> endpoint.method().equals("GET") ? "GET, HEAD" : endpoint.method())
                .distinct()
                .collect(Collectors.joining(", "));
        return new Route.None(Answer.error(405, "this path takes " + allowed).with("Allow", allowed));
    }

    /** Runs the handler; a failure becomes a response. */
    static Answer answer(Route.Found found) {
        try {
            return found.endpoint().handler().answer(found.call());
        } catch (IllegalArgumentException e) {
            return Answer.error(400, String.valueOf(e.getMessage()));
        } catch (ProviderException e) {
            return Answer.error(e.retryable() ? 503 : 409, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.error(503, "this process is closing");
        } catch (Exception e) {
            LOG.atWarn()
                    .addKeyValue("path", "/" + String.join("/", found.endpoint().segments()))
                    .setCause(e)
                    .log("a request of an operator failed, the answer was 500");
            return Answer.error(500, FailureReason.of(e));
        }
    }

    private Answer refusal() {
        return token == null
                ? Answer.error(
                        403,
                        "this process has no token, so nothing can be changed over HTTP: " + port.tokenVariables()
                                + " and restart it")
                : Answer.error(401, "this changes something: send Authorization: Bearer and the token")
                        .with("WWW-Authenticate", "Bearer");
    }

    private static @Nullable String last(QueryStringDecoder query, String name) {
        var values = query.parameters().get(name);
        return values == null ? null : values.get(values.size() - 1);
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
