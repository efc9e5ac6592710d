package io.sluice.relay.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One thing that can be asked for.
 *
 * @param method of HTTP
 * @param segments of the path; one in braces takes any text and is named so in the call
 * @param kind what it is asked for
 * @param parameters of the query that it knows
 * @param handler answers; may block unless it is a probe's
 */
public record Endpoint(String method, List<String> segments, Kind kind, Set<String> parameters, Handler handler) {
    /** What a call is for. */
    public enum Kind {
        /** To be answered at once, however many others wait: its handler asks nobody. */
        PROBE,
        /** Shows something. */
        SHOWS,
        /** Changes something, and so needs the token. */
        CHANGES
    }

    public Endpoint {
        segments = List.copyOf(segments);
        parameters = Set.copyOf(parameters);
    }

    /** Answers calls. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Answers one.
         *
         * @throws Exception becomes an answer too: bad arguments 400, what the store refuses 409, what passes 503, else
         *     500
         */
        Answer answer(Call call) throws Exception;
    }

    /**
     * A call.
     *
     * @param path the texts that stood for segments in braces
     * @param query parameters that have a value; of one that is repeated, the last
     */
    public record Call(Map<String, String> path, Map<String, String> query) {
        private static final int USUAL_LIMIT = 100;
        private static final int HIGHEST_LIMIT = 1_000;

        public Call {
            path = Map.copyOf(path);
            query = Map.copyOf(query);
        }

        /** What stood for a segment in braces. */
        public String segment(String name) {
            return Optional.ofNullable(path.get(name)).orElseThrow();
        }

        /** How many of a list to show: the parameter {@code limit}, 1 to 1000, or 100 where it is absent. */
        public int limit() {
            String text = query.get("limit");
            if (text == null) {
                return USUAL_LIMIT;
            }
            if (!text.matches("\\d{1,4}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > HIGHEST_LIMIT) {
                throw new IllegalArgumentException("limit must be 1 to " + HIGHEST_LIMIT + ", was \"" + text + "\"");
            }
            return Integer.parseInt(text);
        }
    }

    /** Tells at once how it is; the path is exact. */
    public static Endpoint probe(String path, Handler handler) {
        return new Endpoint("GET", split(path), Kind.PROBE, Set.of(), handler);
    }

    /** Shows something. */
    public static Endpoint get(String path, Handler handler) {
        return get(path, Set.of(), handler);
    }

    /** Shows something, by these parameters of the query; others are refused. */
    public static Endpoint get(String path, Set<String> parameters, Handler handler) {
        return new Endpoint("GET", split(path), Kind.SHOWS, parameters, handler);
    }

    /** Changes something. */
    public static Endpoint post(String path, Handler handler) {
        return post(path, Set.of(), handler);
    }

    /** Changes something, by these parameters of the query; others are refused. */
    public static Endpoint post(String path, Set<String> parameters, Handler handler) {
        return new Endpoint("POST", split(path), Kind.CHANGES, parameters, handler);
    }

    boolean changes() {
        return kind == Kind.CHANGES;
    }

    /** The segments of a path, still encoded; the path {@code /} has none. */
    static List<String> split(String path) {
        var segments = new ArrayList<>(List.of(path.split("/", -1)));
        segments.remove(0);
        return segments.equals(List.of("")) ? List.of() : segments;
    }

    /** Empty when this isn't its path; else what stood for its segments in braces. */
    Optional<Map<String, String>> match(List<String> asked) {
        if (asked.size() != segments.size()) {
            return Optional.empty();
        }
        Map<String, String> named = new HashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            var segment = segments.get(i);
            if (segment.startsWith("{")) {
                named.put(segment.substring(1, segment.length() - 1), asked.get(i));
            } else if (!segment.equals(asked.get(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(named);
    }
}
