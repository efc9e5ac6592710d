package io.sluice.emulator.http.controlplane;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.ResourcePath;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.http.message.WireResponse;
import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.Container;
import io.sluice.emulator.store.Partition;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Lets clients outside the emulator's JVM split, merge and limit partitions, by paths that begin with
 * {@code /_emulator/dbs/<name>/colls/<name>}. Changes need the header {@value Headers#CONTROL}, which no web page of
 * another origin can send.
 */
public final class ControlHandlers {
    private static final Pattern LOCAL_HOST = Pattern.compile("(localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d{1,5})?");

    private final Account account;
    private final ExplorerHandlers explorer;

    /** @param explorer runs queries over all partitions */
    public ControlHandlers(Account account, ExplorerHandlers explorer) {
        this.account = account;
        this.explorer = explorer;
    }

    /** The answer to {@code GET …/ranges} and {@code POST …/split}, {@code merge}, {@code limit}, {@code query}. */
    public WireResponse container(WireRequest request, ResourcePath path) {
        var container = account.container(path.database(), Objects.requireNonNull(path.container()));
        return switch (request.method() + " " + path.last()) {
            case "GET ranges" -> ranges(container.partitions());
            case "POST query" -> {
                checkControl(request);
                yield explorer.query(request, container);
            }
            case "POST split" -> {
                checkControl(request);
                yield ranges(account.repartitioning()
                        .split(
                                account.database(path.database()),
                                container,
                                text(request.object().path("range"), "range"),
                                null));
            }
            case "POST limit" -> {
                checkControl(request);
                yield limit(container, request.object().path("requestUnitsPerSecond"));
            }
            case "POST merge" -> {
                checkControl(request);
                yield ranges(List.of(merge(path, container, request.object().path("ranges"))));
            }
            default -> throw new StatusException(404, 0, "There is no such control: " + request.method() + " " + path);
        };
    }

    private WireResponse limit(Container container, JsonNode perSecond) {
        if (!perSecond.isInt() || perSecond.intValue() < 0) {
            throw StatusException.badRequest(
                    "'requestUnitsPerSecond' must be a number of at least 0, was " + perSecond);
        }
        account.partitionLimits().set(container.rid(), perSecond.intValue());
        return ranges(container.partitions());
    }

    private Partition merge(ResourcePath path, Container container, JsonNode ranges) {
        if (!(ranges instanceof ArrayNode) || ranges.size() != 2) {
            throw StatusException.badRequest("'ranges' must be an array of two range ids, was " + ranges);
        }
        return account.repartitioning()
                .merge(
                        account.database(path.database()),
                        container,
                        text(ranges.path(0), "ranges[0]"),
                        text(ranges.path(1), "ranges[1]"));
    }

    /**
     * Refuses requests under a foreign host name: a web page whose name resolves to this machine could send them.
     *
     * @throws StatusException 403
     */
    public static void checkHost(WireRequest request) {
        var host = request.header("Host");
        if (host != null && !LOCAL_HOST.matcher(host).matches()) {
            throw new StatusException(
                    403, 0, "The emulator's own pages are served to this machine only, not to " + host);
        }
    }

    static void checkControl(WireRequest request) {
        if (!request.isSet(Headers.CONTROL)) {
            throw new StatusException(403, 0, "A control must carry the header " + Headers.CONTROL + ": true");
        }
    }

    private static String text(JsonNode value, String name) {
        if (!value.isTextual()) {
            throw StatusException.badRequest("'" + name + "' must be the id of a range, was " + value);
        }
        return value.textValue();
    }

    private static WireResponse ranges(List<Partition> partitions) {
        var body = Json.object();
        var array = body.putArray("ranges");
        for (var partition : partitions) {
            var described = array.addObject().put("id", partition.id());
            described
                    .put("minInclusive", partition.range().min())
                    .put("maxExclusive", partition.range().max());
            described.put("items", partition.itemCount()).put("lsn", partition.lsn());
            partition.ancestors().forEach(described.putArray("parents")::add);
        }
        return WireResponse.json(200, body);
    }
}
