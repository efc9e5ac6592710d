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
 * Where a query goes on: opaque to clients. It speaks of the key space, not of partitions, so it outlives their splits and
 * merges, and holds for a part of what it was given for.
 *
 * @param pending what is still to be read, in the order of the key space; never empty
 * @param kept the results that the query goes on with, null when it reads on
 */
record QueryContinuation(List<Stretch> pending, @Nullable Kept kept) {
    private static final int FIELDS = 4;
    private static final int KEPT_FIELDS = 3;

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
    record Stretch(EpkRange keys, long number, int skip) {
        private Stretch within(EpkRange range) {
            return new Stretch(keys.isPoint() ? keys : keys.intersect(range), number, skip);
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
    record Kept(String token, EpkRange keys) {
        private static @Nullable Kept parse(JsonNode json) {
            return json.size() == KEPT_FIELDS
                    ? new Kept(
                            json.path(0).asText(),
                            new EpkRange(json.path(1).asText(), json.path(2).asText()))
                    : null;
        }
    }

    /** Nothing of this part has been read. */
    static QueryContinuation startOf(EpkRange keys) {
        return new QueryContinuation(List.of(new Stretch(keys, 0, 0)), null);
    }

    /** The stretch to read next. */
    Stretch head() {
        return pending.get(0);
    }

    /** As far as a range goes; null when nothing is left there. */
    @Nullable
    QueryContinuation within(EpkRange range) {
        var left = pending.stream()
                .filter(stretch -> stretch.touches(range))
                .map(stretch ->
                        range.isPoint() ? new Stretch(range, stretch.number, stretch.skip) : stretch.within(range))
                .toList();
        return left.isEmpty() ? null : new QueryContinuation(left, kept);
    }

    /**
     * What is left after a page that read the beginning of the head.
     *
     * @param read the part of the head's keys that was read
     * @param rest of that part, null when it was read to its end
     */
    @Nullable
    QueryContinuation after(EpkRange read, @Nullable QueryContinuation rest) {
        var left = new ArrayList<Stretch>();
        if (rest != null) {
            left.addAll(rest.pending);
        }
        var head = head();
        if (!read.isPoint() && read.max().compareTo(head.keys.max()) < 0) {
            left.add(new Stretch(new EpkRange(read.max(), head.keys.max()), head.number, head.skip));
        }
        left.addAll(pending.subList(1, pending.size()));
        return left.isEmpty() ? null : new QueryContinuation(left, rest == null ? null : rest.kept);
    }

    /**
     * Reads one.
     *
     * @return null when there is none
     * @throws StatusException 400 when it is not ours
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
        var pending = new ArrayList<Stretch>();
        for (var stretch : json.path("pending")) {
            boolean valid = stretch.size() == FIELDS
                    && stretch.path(0).isTextual()
                    && stretch.path(1).isTextual()
                    && stretch.path(2).isIntegralNumber()
                    && stretch.path(3).isInt()
                    && stretch.path(3).intValue() >= 0;
            if (!valid) {
                throw invalid(text);
            }
            var keys = new EpkRange(stretch.path(0).textValue(), stretch.path(1).textValue());
            pending.add(new Stretch(
                    keys, stretch.path(2).longValue(), stretch.path(3).intValue()));
        }
        if (pending.isEmpty()) {
            throw invalid(text);
        }
        return new QueryContinuation(pending, Kept.parse(json.path("kept")));
    }

    String text() {
        var json = Json.object();
        if (kept != null) {
            json.putArray("kept")
                    .add(kept.token())
                    .add(kept.keys().min())
                    .add(kept.keys().max());
        }
        var array = json.putArray("pending");
        for (var stretch : pending) {
            array.addArray()
                    .add(stretch.keys.min())
                    .add(stretch.keys.max())
                    .add(stretch.number)
                    .add(stretch.skip);
        }
        return json.toString();
    }

    private static StatusException invalid(String text) {
        return StatusException.badRequest("The continuation token is invalid: " + text);
    }
}
