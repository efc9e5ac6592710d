package io.sluice.program.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint of the port for operators.
 *
 * @param method of HTTP
 * @param segments of the path; a segment in braces matches any text and is a parameter of the call
 * @param kind what its handler does, and so on which threads it runs: calls of one kind never hold up those of another
 * @param parameters of the query that it accepts
 * @param handler creates the response
 */
public record Endpoint(String method, List<String> segments, Kind kind, Set<String> parameters, Handler handler) {
    /** The parameter of a query that asks a replica for its own part of an answer. */
    public static final String LOCAL = "local";

    /** The kinds of calls. */
    public enum Kind {
        /** A health check or a scrape, from what is in memory: its handler sends no requests. */
        PROBE,
        /** Shows what is in memory: its handler sends no requests. */
        SHOWS,
        /**
         * This process's own part of an answer, for calls with {@code local=true}. Its handler asks no other replica,
         * so that replicas can ask each other while all of them gather.
         */
        PART,
        /** Gathers an answer from this process and other replicas; its handler may wait for these. */
        GATHERS,
        /**
         * Reads from the store or from Kafka. The handler runs one call at a time, and its answer serves all equal
         * calls of the next seconds ({@link SharedReads}).
         */
        READS,
        /** Changes something, so it needs the token. */
        CHANGES
    }

    public Endpoint {
        segments = List.copyOf(segments);
        parameters = Set.copyOf(parameters);
    }

    /** Handles calls. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Handles a call.
         *
         * @throws Exception becomes a response too: 400 for bad arguments, 409 if the store refuses, 503 for a
         *     transient failure, otherwise 500
         */
        Answer answer(Call call) throws Exception;
    }

    /**
     * A call.
     *
     * @param path the texts that matched segments in braces
     * @param query parameters with a value; the last value if one is repeated
     */
    public record Call(Map<String, String> path, Map<String, String> query) {
        private static final int USUAL_LIMIT = 100;
        private static final int HIGHEST_LIMIT = 1_000;

        public Call {
            path = Map.copyOf(path);
            query = Map.copyOf(query);
        }

        /** The text that matched a segment in braces. */
        public String segment(String name) {
            return Optional.ofNullable(path.get(name)).orElseThrow();
        }

        /** The length of a list: the parameter {@code limit}, 1 to 1000, or 100 by default. */
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

    /** A probe; the path is exact. */
    public static Endpoint probe(String path, Handler handler) {
        return new Endpoint("GET", split(path), Kind.PROBE, Set.of(), handler);
    }

    /** An endpoint that shows what is in memory. */
    public static Endpoint get(String path, Handler handler) {
        return get(path, Set.of(), handler);
    }

    /** An endpoint that shows what is in memory, with these parameters of the query; others are refused. */
    public static Endpoint get(String path, Set<String> parameters, Handler handler) {
        return new Endpoint("GET", split(path), Kind.SHOWS, parameters, handler);
    }

    /** An endpoint that reads from the store or from Kafka, with these parameters of the query; others are refused. */
    public static Endpoint read(String path, Set<String> parameters, Handler handler) {
        return new Endpoint("GET", split(path), Kind.READS, parameters, handler);
    }

    /**
     * The two endpoints of an answer of which each replica has a part.
     *
     * @param parameters of the query besides {@link #LOCAL}; others are refused
     * @param part answers calls with {@code local=true}, and asks no other replica
     * @param gathered answers all other calls
     */
    public static List<Endpoint> shared(String path, Set<String> parameters, Handler part, Handler gathered) {
        var withLocal = new HashSet<>(parameters);
        withLocal.add(LOCAL);
        return List.of(
                new Endpoint("GET", split(path), Kind.PART, withLocal, part),
                new Endpoint("GET", split(path), Kind.GATHERS, withLocal, gathered));
    }

    /** An endpoint that changes something. */
    public static Endpoint post(String path, Handler handler) {
        return post(path, Set.of(), handler);
    }

    /** An endpoint that changes something, with these parameters of the query; others are refused. */
    public static Endpoint post(String path, Set<String> parameters, Handler handler) {
        return new Endpoint("POST", split(path), Kind.CHANGES, parameters, handler);
    }

    boolean changes() {
        return kind == Kind.CHANGES;
    }

    /** Whether it answers calls with this value of {@link #LOCAL}, null for none. */
    boolean answers(@Nullable String local) {
        return switch (kind) {
            case PART -> "true".equals(local);
            case GATHERS -> !"true".equals(local);
            case PROBE, SHOWS, READS, CHANGES -> true;
        };
    }

    /** The segments of a path, still encoded; the path {@code /} has none. */
    static List<String> split(String path) {
        var segments = new ArrayList<>(List.of(path.split("/", -1)));
        segments.remove(0);
        return segments.equals(List.of("")) ? List.of() : segments;
    }

    /** The texts that matched its segments in braces; empty if the path does not match. */
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
