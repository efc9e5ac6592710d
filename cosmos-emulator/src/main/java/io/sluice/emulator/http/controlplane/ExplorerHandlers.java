package io.sluice.emulator.http.controlplane;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.QueryRequest;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.http.message.WireResponse;
import io.sluice.emulator.query.QuerySyntaxException;
import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.Container;
import io.sluice.emulator.store.Partition;
import io.sluice.emulator.store.item.StoredItem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The health check, and a web page that shows databases, containers and items. */
public final class ExplorerHandlers {
    private static final int MAX_RESULTS = 100;
    private static final String PAGE = "explorer.html";
    private static final String SCRIPT = "explorer.js";

    private final Account account;

    /** @param account to show */
    public ExplorerHandlers(Account account) {
        this.account = account;
    }

    /** Whether a browser sent the request, not a client of the service. */
    public static boolean isForBrowser(WireRequest request) {
        var accept = request.header("Accept");
        return request.method().equals("GET")
                && request.header(Headers.AUTHORIZATION) == null
                && accept != null
                && accept.contains("text/html");
    }

    /** The health check: 200 as soon as requests are served. */
    public WireResponse health(WireRequest request) {
        return WireResponse.json(
                200,
                Json.object()
                        .put("status", "up")
                        .put("databases", account.databases().size()));
    }

    /** The web page. */
    public WireResponse page(WireRequest request) {
        return file(PAGE, "text/html; charset=utf-8");
    }

    /** The script of the web page. */
    public WireResponse script(WireRequest request) {
        return file(SCRIPT, "text/javascript; charset=utf-8");
    }

    /** All databases with their containers. */
    public WireResponse databases(WireRequest request) {
        var body = Json.object();
        var databases = body.putArray("databases");
        for (var database : account.databases()) {
            var containers = databases.addObject().put("id", database.id()).putArray("containers");
            for (var container : database.containers()) {
                long items = container.partitions().stream()
                        .mapToLong(Partition::itemCount)
                        .sum();
                containers.addObject().put("id", container.properties().id()).put("items", items);
            }
        }
        return WireResponse.json(200, body);
    }

    /** The first results of a query over all partitions. */
    public WireResponse query(WireRequest request, Container container) {
        var query = QueryRequest.parse(request);
        var body = Json.object();
        var documents = body.putArray("documents");
        try {
            var results = query.execute(documents(container));
            while (results.hasNext() && documents.size() < MAX_RESULTS) {
                documents.add(results.next());
            }
            body.put("more", results.hasNext());
        } catch (QuerySyntaxException e) {
            throw QueryRequest.badRequest(e);
        }
        return WireResponse.json(200, body);
    }

    private static Iterator<ObjectNode> documents(Container container) {
        var computed = container.properties().computed();
        return container.partitions().stream()
                .flatMap(partition -> stream(partition.view().items(0)))
                .map(item -> computed.of(item.document()))
                .iterator();
    }

    private static Stream<StoredItem> stream(Iterator<StoredItem> items) {
        return StreamSupport.stream(((Iterable<StoredItem>) () -> items).spliterator(), false);
    }

    private static WireResponse file(String name, String type) {
        try (var in = ExplorerHandlers.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("The emulator's jar lacks " + name);
            }
            return WireResponse.json(200, in.readAllBytes()).contentType(type);
        } catch (IOException e) {
            throw new UncheckedIOException("The emulator's jar can't be read: " + name, e);
        }
    }
}
