package io.sluice.provider.outbox;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.Fields;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.SqlQuery;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Reads the undelivered intents of a source piece by piece, in the order of delivery, and never more than memory has
 * room for: a first query brings small documents whole and of large ones the size ({@link SliceRows}), and large ones
 * are read when their slice is asked for.
 *
 * <p>Most sources have few: one page holds them all, and is asked for without an order, which needs no query plan. Only
 * where there are more the store puts them in order. It does so by one property ({@code createdAt} and {@code id} have
 * an index, no pair of the two has one), so a slice ends where a turn ends: all intents of a turn have the same
 * {@code createdAt}, and a cut among them would be by chance. A turn that alone is longer than a slice is read by
 * {@code id}: its intents have the same key but for the position, six digits, so that this is their order too. Intents
 * of a turn in the making are created later than all of their source's; a reader misses nothing that was there when the
 * first slice was read.
 */
final class IntentSlices {
    private static final String CONDITION =
            " FROM c WHERE c.type = 'outbox_intent' AND c.status IN ('pending', 'queued')";

    static final String UNDELIVERED = "SELECT *" + CONDITION;

    private static final int MOST = 200;
    private static final String FEW = "SELECT " + SliceRows.SELECTED + CONDITION;
    /** For names of targets in a query; the service refuses one of more than 512 KB, text and parameters together. */
    private static final int MOST_NAMES_BYTES = 300_000;
    /**
     * What a name needs in addition to itself: {@code , @target12345} in the text, and the same with its JSON among the
     * parameters.
     */
    private static final int NAME_OVERHEAD_BYTES = 60;

    private static final String ORDERED = "SELECT TOP " + MOST + " " + SliceRows.SELECTED + CONDITION;
    private static final String LATER_TURNS = ORDERED + " AND c.createdAt > @turn";
    private static final String REST_OF_TURN = ORDERED + " AND c.createdAt = @turn AND c.id > @id";
    private static final IntentSlice.Place BEFORE_ALL = IntentSlice.Place.behind(-Double.MAX_VALUE, null);
    private static final Comparator<ObjectNode> BY_TURN_AND_ID =
            Comparator.comparingDouble(IntentSlices::turn).thenComparing(DocumentJson::id);

    private final ContainerRequests requests;

    IntentSlices(ContainerRequests requests) {
        this.requests = requests;
    }

    /**
     * Which intents are read.
     *
     * @param source whose
     * @param passedOver targets whose intents are left out, as far as a query has room for their names
     */
    private record Wanted(String source, List<String> passedOver) {
        boolean has(ObjectNode row) {
            return !passedOver.contains(row.path("targetInstanceId").asText());
        }
    }

    /** The next slice behind a place; the first without one. */
    IntentSlice after(Call call, String source, IntentSlice.@Nullable Place place, Collection<String> passedOver) {
        return after(call, new Wanted(source, few(passedOver)), place);
    }

    private static List<String> few(Collection<String> names) {
        List<String> few = new ArrayList<>();
        int left = MOST_NAMES_BYTES;
        for (String name : names) {
            left -= DocumentJson.quoted(name).getBytes(StandardCharsets.UTF_8).length + NAME_OVERHEAD_BYTES;
            if (left < 0) {
                break;
            }
            few.add(name);
        }
        return List.copyOf(few);
    }

    private IntentSlice after(Call call, Wanted wanted, IntentSlice.@Nullable Place place) {
        if (place == null) {
            var all = requests.page(call, wanted.source(), SqlQuery.of(FEW), MOST, null);
            return all.next() == null ? smallOf(inOrder(all.rows()), null) : laterTurns(call, wanted, BEFORE_ALL);
        }
        if (!place.ahead().isEmpty()) {
            List<ObjectNode> rows = SliceRows.next(place.ahead());
            List<ObjectNode> read = rows.stream().filter(wanted::has).toList();
            return slice(whole(call, wanted.source(), read), rest(place.ahead(), rows, place.then()));
        }
        return place.id() == null ? laterTurns(call, wanted, place) : restOfTurn(call, wanted, place, place.id());
    }

    private IntentSlice laterTurns(Call call, Wanted wanted, IntentSlice.Place place) {
        SqlQuery query = ordered(LATER_TURNS, wanted, "c.createdAt").with("@turn", place.createdAt());
        List<ObjectNode> rows = requests.query(call, wanted.source(), query).rows();
        if (rows.size() < MOST) {
            return smallOf(inOrder(rows), null);
        }
        double last = turn(rows.get(rows.size() - 1));
        // The last turn may go on.
        List<ObjectNode> whole = rows.stream().filter(row -> turn(row) < last).toList();
        if (whole.isEmpty()) {
            return restOfTurn(call, wanted, IntentSlice.Place.behind(last, null), "");
        }
        return smallOf(inOrder(whole), IntentSlice.Place.behind(turn(whole.get(whole.size() - 1)), null));
    }

    private IntentSlice restOfTurn(Call call, Wanted wanted, IntentSlice.Place turn, String afterId) {
        SqlQuery query = ordered(REST_OF_TURN, wanted, "c.id")
                .with("@turn", turn.createdAt())
                .with("@id", afterId);
        List<ObjectNode> rows = requests.query(call, wanted.source(), query).rows();
        String next = rows.size() < MOST ? null : DocumentJson.id(rows.get(rows.size() - 1));
        return smallOf(rows, IntentSlice.Place.behind(turn.createdAt(), next));
    }

    private static SqlQuery ordered(String text, Wanted wanted, String by) {
        var names = new StringJoiner(", ", " AND c.targetInstanceId NOT IN (", ")");
        List<String> passedOver = wanted.passedOver();
        for (int i = 0; i < passedOver.size(); i++) {
            names.add("@target" + i);
        }
        SqlQuery query = SqlQuery.of(text + (passedOver.isEmpty() ? "" : names) + " ORDER BY " + by);
        for (int i = 0; i < passedOver.size(); i++) {
            query.with("@target" + i, passedOver.get(i));
        }
        return query;
    }

    private static double turn(ObjectNode row) {
        return row.path(Fields.CREATED_AT).asDouble();
    }

    private static List<ObjectNode> inOrder(List<ObjectNode> rows) {
        return rows.stream().sorted(BY_TURN_AND_ID).toList();
    }

    /** The intents before the first large one, for which room may have to be made first. */
    private static IntentSlice smallOf(List<ObjectNode> rows, IntentSlice.@Nullable Place then) {
        List<ObjectNode> small = SliceRows.small(rows);
        return slice(small, rest(rows, small, then));
    }

    private static IntentSlice.@Nullable Place rest(
            List<ObjectNode> rows, List<ObjectNode> handedOut, IntentSlice.@Nullable Place then) {
        return rows.size() == handedOut.size()
                ? then
                : IntentSlice.Place.before(rows.subList(handedOut.size(), rows.size()), then);
    }

    /** The rows with their large documents, unless these were delivered meanwhile. */
    private List<ObjectNode> whole(Call call, String source, List<ObjectNode> rows) {
        List<String> large =
                rows.stream().filter(SliceRows::isLarge).map(DocumentJson::id).toList();
        List<ObjectNode> whole = new ArrayList<>(rows);
        whole.removeIf(SliceRows::isLarge);
        if (!large.isEmpty()) {
            SqlQuery query = SqlQuery.of(UNDELIVERED).andOneOf("c.id", large);
            whole.addAll(requests.query(call, source, query).rows());
        }
        return whole;
    }

    private static IntentSlice slice(List<ObjectNode> rows, IntentSlice.@Nullable Place next) {
        List<Intent> intents = Intent.fromJson(rows);
        return new IntentSlice(intents, rows.size() - intents.size(), next);
    }
}
