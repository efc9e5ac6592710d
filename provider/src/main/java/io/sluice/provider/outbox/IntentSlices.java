package io.sluice.provider.outbox;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.document.DocumentJson;
import io.sluice.provider.cosmos.document.Fields;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.request.SqlQuery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the undelivered intents of a source piece by piece, in the order of delivery.
 *
 * <p>Most sources have few: one page holds them all, and is asked for without an order, which needs no query plan. Only where there are more the store puts them
 * in order. It does so by one property ({@code createdAt} and {@code id} have an index, no pair of the two has one), so a slice ends where a turn ends: all
 * intents of a turn have the same {@code createdAt}, and a cut among them would be by chance. A turn that alone is longer than a slice is read by {@code id}: its
 * intents have the same key but for the position, six digits, so that this is their order too. Intents of a turn in the making are created later than all
 * of their source's; whoever reads on misses nothing that was there when the first slice was read.
 */
final class IntentSlices {
    static final String UNDELIVERED =
            "SELECT * FROM c WHERE c.type = 'outbox_intent' AND c.status IN ('pending', 'queued')";

    private static final int MOST = 200;
    private static final String ORDERED = UNDELIVERED.replace("SELECT *", "SELECT TOP " + MOST + " *");
    private static final String LATER_TURNS = ORDERED + " AND c.createdAt > @turn ORDER BY c.createdAt";
    private static final String REST_OF_TURN = ORDERED + " AND c.createdAt = @turn AND c.id > @id ORDER BY c.id";
    private static final IntentSlice.Place BEFORE_ALL = new IntentSlice.Place(-Double.MAX_VALUE, null);

    private final ContainerRequests requests;

    IntentSlices(ContainerRequests requests) {
        this.requests = requests;
    }

    /** The next slice behind a place; the first without one. */
    IntentSlice after(Call call, String source, IntentSlice.@Nullable Place place) {
        if (place != null) {
            return place.id() == null ? laterTurns(call, source, place) : restOfTurn(call, source, place, place.id());
        }
        var all = requests.page(call, source, SqlQuery.of(UNDELIVERED), MOST, null);
        return all.next() == null ? slice(all.rows(), null) : laterTurns(call, source, BEFORE_ALL);
    }

    private IntentSlice laterTurns(Call call, String source, IntentSlice.Place place) {
        SqlQuery query = SqlQuery.of(LATER_TURNS).with("@turn", place.createdAt());
        List<ObjectNode> rows = requests.query(call, source, query).rows();
        if (rows.size() < MOST) {
            return slice(rows, null);
        }
        double last = turn(rows.get(rows.size() - 1));
        // The last turn may go on.
        List<ObjectNode> whole = rows.stream().filter(row -> turn(row) < last).toList();
        if (whole.isEmpty()) {
            return restOfTurn(call, source, new IntentSlice.Place(last, null), "");
        }
        return slice(whole, new IntentSlice.Place(turn(whole.get(whole.size() - 1)), null));
    }

    private IntentSlice restOfTurn(Call call, String source, IntentSlice.Place turn, String afterId) {
        SqlQuery query =
                SqlQuery.of(REST_OF_TURN).with("@turn", turn.createdAt()).with("@id", afterId);
        List<ObjectNode> rows = requests.query(call, source, query).rows();
        String next = rows.size() < MOST ? null : DocumentJson.id(rows.get(rows.size() - 1));
        return slice(rows, new IntentSlice.Place(turn.createdAt(), next));
    }

    private static double turn(ObjectNode row) {
        return row.path(Fields.CREATED_AT).asDouble();
    }

    private static IntentSlice slice(List<ObjectNode> rows, IntentSlice.@Nullable Place next) {
        List<Intent> intents = Intent.fromJson(rows);
        return new IntentSlice(intents, rows.size() - intents.size(), next);
    }
}
