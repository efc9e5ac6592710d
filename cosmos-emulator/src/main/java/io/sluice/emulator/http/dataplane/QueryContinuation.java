package io.sluice.emulator.http.dataplane;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.key.EpkRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The position at which a query continues, opaque to clients. It names ranges of the key space, not partitions: so it
 * stays valid when partitions split or merge, and a client may continue on a part of the range it began with.
 *
 * @param pending the parts still to be read, in the order of the key space; never empty
 * @param cached the results that the query goes on with, null when it reads on
 */
record QueryContinuation(
        List<PendingRange> pending, @Nullable CachedResults cached) {
    private static final int FIELDS = 4;
    private static final int CACHED_FIELDS = 3;

    QueryContinuation {
        pending = List.copyOf(pending);
    }

    /**
     * A part of the key space, and how far it has been read.
     *
     * @param keys of the part
     * @param number of the item from which on to read
     * @param skip how many results to leave out: of that item, or of all when the query needs them all at once
     */
    record PendingRange(EpkRange keys, long number, int skip) {
        private PendingRange within(EpkRange range) {
            return new PendingRange(keys.isPoint() ? keys : keys.intersect(range), number, skip);
        }

        private boolean touches(EpkRange range) {
            boolean shares = keys.overlaps(range) || keys.equals(range);
            return shares || range.contains(keys.min()) || keys.contains(range.min());
        }
    }

    /**
     * Results that were computed whole.
     *
     * @param token under which they are found
     * @param keys they were computed from
     */
    record CachedResults(String token, EpkRange keys) {
        private static @Nullable CachedResults parse(JsonNode json) {
            return json.size() == CACHED_FIELDS
                    ? new CachedResults(
                            json.path(0).asText(),
                            new EpkRange(json.path(1).asText(), json.path(2).asText()))
                    : null;
        }
    }

    /** Nothing of this part has been read. */
    static QueryContinuation startOf(EpkRange keys) {
        return new QueryContinuation(List.of(new PendingRange(keys, 0, 0)), null);
    }

    /** The range to read next. */
    PendingRange head() {
        return pending.get(0);
    }

    /** The part of it that lies in a range of keys, or null when nothing is left to read there. */
    @Nullable
    QueryContinuation within(EpkRange range) {
        var left = pending.stream()
                .filter(one -> one.touches(range))
                .map(one -> range.isPoint() ? new PendingRange(range, one.number, one.skip) : one.within(range))
                .toList();
        return left.isEmpty() ? null : new QueryContinuation(left, cached);
    }

    /**
     * The parts left after a page that read the beginning of the head.
     *
     * @param read the part of the head's keys that was read
     * @param rest of that part, null when it was read to its end
     */
    @Nullable
    QueryContinuation after(EpkRange read, @Nullable QueryContinuation rest) {
        var left = new ArrayList<PendingRange>();
        if (rest != null) {
            left.addAll(rest.pending);
        }
        var head = head();
        if (!read.isPoint() && read.max().compareTo(head.keys.max()) < 0) {
            left.add(new PendingRange(new EpkRange(read.max(), head.keys.max()), head.number, head.skip));
        }
        left.addAll(pending.subList(1, pending.size()));
        return left.isEmpty() ? null : new QueryContinuation(left, rest == null ? null : rest.cached);
    }

    /**
     * Parses a token.
     *
     * @return null when the request has none
     * @throws StatusException 400 when it is no token of this emulator
     */
    static @Nullable QueryContinuation parse(@Nullable String text) {
        if (text == null) {
            return null;
        }
        JsonNode json;
        try {
            json = Json.read(text);
        } catch (JsonProcessingException e) {
            throw invalid(text);
        }
        var pending = new ArrayList<PendingRange>();
        for (var range : json.path("pending")) {
            boolean valid = range.size() == FIELDS
                    && range.path(0).isTextual()
                    && range.path(1).isTextual()
                    && range.path(2).isIntegralNumber()
                    && range.path(3).isInt()
                    && range.path(3).intValue() >= 0;
            if (!valid) {
                throw invalid(text);
            }
            var keys = new EpkRange(range.path(0).textValue(), range.path(1).textValue());
            pending.add(new PendingRange(
                    keys, range.path(2).longValue(), range.path(3).intValue()));
        }
        if (pending.isEmpty()) {
            throw invalid(text);
        }
        return new QueryContinuation(pending, CachedResults.parse(json.path("kept")));
    }

    String text() {
        var json = Json.object();
        if (cached != null) {
            json.putArray("kept")
                    .add(cached.token())
                    .add(cached.keys().min())
                    .add(cached.keys().max());
        }
        var array = json.putArray("pending");
        for (var range : pending) {
            array.addArray()
                    .add(range.keys.min())
                    .add(range.keys.max())
                    .add(range.number)
                    .add(range.skip);
        }
        return json.toString();
    }

    private static StatusException invalid(String text) {
        return StatusException.badRequest("The continuation token is invalid: " + text);
    }
}
