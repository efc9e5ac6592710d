package io.sluice.emulator.http;

import io.sluice.emulator.RequestKind;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.controlplane.AccountHandlers;
import io.sluice.emulator.http.controlplane.ContainerHandlers;
import io.sluice.emulator.http.controlplane.ControlHandlers;
import io.sluice.emulator.http.controlplane.DatabaseHandlers;
import io.sluice.emulator.http.controlplane.ExplorerHandlers;
import io.sluice.emulator.http.controlplane.OfferHandlers;
import io.sluice.emulator.http.controlplane.RegionHandlers;
import io.sluice.emulator.http.dataplane.BatchHandlers;
import io.sluice.emulator.http.dataplane.ChangeFeedHandlers;
import io.sluice.emulator.http.dataplane.ItemHandlers;
import io.sluice.emulator.http.dataplane.QueryHandlers;
import io.sluice.emulator.http.dataplane.RequestTargets;
import io.sluice.emulator.http.dataplane.ThroughputLimiter;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.QueryRequest;
import io.sluice.emulator.http.message.ResourcePath;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.store.Account;
import java.util.List;
import java.util.Set;

/** Finds the handler of a request by its method, path and headers. Thread-safe. */
final class Router {
    private static final Set<String> SCRIPTS = Set.of("sprocs", "triggers", "udfs");
    private static final Set<String> NOT_SUPPORTED =
            Set.of("users", "permissions", "attachments", "clientencryptionkeys", "operations");

    private static final String DELETE_BY_PARTITION_KEY = "partitionkeydelete";
    private static final String CONTROL = "_emulator";
    private static final int CONTAINER_CONTROL_SEGMENTS = 5;
    private static final int REGION_CONTROL_SEGMENTS = 3;

    private final AccountHandlers accounts;
    private final DatabaseHandlers databases;
    private final ControlHandlers controls;
    private final RegionHandlers regions;
    private final ExplorerHandlers explorer;
    private final ContainerHandlers containers;
    private final OfferHandlers offers;
    private final ItemHandlers items;
    private final BatchHandlers batches;
    private final QueryHandlers queries;
    private final ChangeFeedHandlers feeds;

    Router(Account account, AccountHandlers accounts, RegionHandlers regions, ThroughputLimiter limiter) {
        var targets = new RequestTargets(account, limiter);
        this.accounts = accounts;
        this.regions = regions;
        offers = new OfferHandlers(account);
        databases = new DatabaseHandlers(account);
        explorer = new ExplorerHandlers(account);
        controls = new ControlHandlers(account, explorer);
        containers = new ContainerHandlers(account);
        items = new ItemHandlers(targets);
        batches = new BatchHandlers(targets);
        queries = new QueryHandlers(targets);
        feeds = new ChangeFeedHandlers(targets);
    }

    /** The route of a request. A request that nothing serves gets a route that answers why. */
    Route route(WireRequest request) {
        var segments = request.path().segments();
        if (!segments.isEmpty() && segments.get(0).equals(CONTROL)) {
            return control(new ResourcePath(segments.subList(1, segments.size())), request);
        }
        return switch (request.path().shape() + (request.path().isFeed() ? "/" : "")) {
            case "" -> ExplorerHandlers.isForBrowser(request) ? unsigned(explorer::page) : account(request);
            case "health/" -> unsigned(explorer::health);
            case "dbs/" -> databases(request);
            case "dbs" -> database(request);
            case "dbs/colls/" -> containers(request);
            case "dbs/colls" -> container(request);
            case "dbs/colls/pkranges/" -> ranges(request);
            case "dbs/colls/operations" -> operation(request);
            case "dbs/colls/conflicts/" -> conflicts(request);
            case "dbs/colls/conflicts" ->
                errorRoute(new StatusException(404, 0, "There are no conflicts: every write is decided at once."));
            case "dbs/colls/docs/" -> items(request);
            case "dbs/colls/docs" -> item(request);
            case "offers/" -> offers(request);
            case "offers" -> offer(request);
            default -> unknown(request);
        };
    }

    private Route control(ResourcePath path, WireRequest request) {
        if (request.method().equals("GET") && path.segments().equals(List.of("explorer.js"))) {
            return unsigned(explorer::script);
        }
        if (request.method().equals("GET") && path.segments().equals(List.of("dbs"))) {
            return unsigned(explorer::databases);
        }
        if (path.segments().size() == REGION_CONTROL_SEGMENTS
                && path.segments().get(0).equals("regions")) {
            return unsigned(asked -> regions.control(asked, path));
        }
        boolean ofContainer = path.segments().size() == CONTAINER_CONTROL_SEGMENTS
                && path.shape().equals("dbs/colls/" + path.last());
        return ofContainer
                ? unsigned(asked -> controls.container(asked, path))
                : errorRoute(new StatusException(404, 0, "There is no such control: " + path));
    }

    /** A route of the emulator's own pages: it needs no signature, and serves clients on this machine only. */
    private static Route unsigned(RequestHandler handler) {
        return new Route(RequestKind.CONTROL, handler, false);
    }

    private Route account(WireRequest request) {
        return request.method().equals("GET") ? new Route(RequestKind.ACCOUNT, accounts::read) : notAllowed(request);
    }

    private Route databases(WireRequest request) {
        if (request.method().equals("GET") || QueryRequest.isQuery(request)) {
            return new Route(RequestKind.DATABASE_LIST, databases::list);
        }
        return request.method().equals("POST")
                ? new Route(RequestKind.DATABASE_CREATE, databases::create)
                : notAllowed(request);
    }

    private Route database(WireRequest request) {
        return switch (request.method()) {
            case "GET" -> new Route(RequestKind.DATABASE_READ, databases::read);
            case "DELETE" -> new Route(RequestKind.DATABASE_DELETE, databases::delete);
            default -> notAllowed(request);
        };
    }

    private Route containers(WireRequest request) {
        if (request.method().equals("GET") || QueryRequest.isQuery(request)) {
            return new Route(RequestKind.CONTAINER_LIST, containers::list);
        }
        return request.method().equals("POST")
                ? new Route(RequestKind.CONTAINER_CREATE, containers::create)
                : notAllowed(request);
    }

    private Route container(WireRequest request) {
        return switch (request.method()) {
            case "GET" -> new Route(RequestKind.CONTAINER_READ, containers::read);
            case "PUT" -> new Route(RequestKind.CONTAINER_REPLACE, containers::replace);
            case "DELETE" -> new Route(RequestKind.CONTAINER_DELETE, containers::delete);
            default -> notAllowed(request);
        };
    }

    private Route ranges(WireRequest request) {
        return request.method().equals("GET")
                ? new Route(RequestKind.PARTITION_KEY_RANGES, containers::partitionKeyRanges)
                : notAllowed(request);
    }

    private Route operation(WireRequest request) {
        if (!request.path().last().equals(DELETE_BY_PARTITION_KEY)) {
            return unknown(request);
        }
        return request.method().equals("POST")
                ? new Route(RequestKind.PARTITION_KEY_DELETE, items::deleteAll)
                : notAllowed(request);
    }

    private Route conflicts(WireRequest request) {
        return request.method().equals("GET") || QueryRequest.isQuery(request)
                ? new Route(RequestKind.CONFLICT_LIST, containers::conflicts)
                : notAllowed(request);
    }

    private Route items(WireRequest request) {
        if (request.method().equals("GET")) {
            return request.header(Headers.A_IM) == null
                    ? new Route(RequestKind.READ_FEED, queries::readFeed)
                    : new Route(RequestKind.CHANGE_FEED, feeds::changeFeed);
        }
        if (!request.method().equals("POST")) {
            return notAllowed(request);
        }
        if (request.header(Headers.A_IM) != null) {
            return errorRoute(StatusException.badRequest("The change feed can't be read by a query."));
        }
        if (request.isSet(Headers.IS_QUERY_PLAN)) {
            return new Route(RequestKind.QUERY_PLAN, queries::plan);
        }
        if (request.isSet(Headers.IS_BATCH)) {
            return BatchHandlers.isAtomic(request)
                    ? new Route(RequestKind.BATCH, batches::batch)
                    : new Route(RequestKind.BULK, batches::bulk);
        }
        if (QueryRequest.isQuery(request)) {
            return new Route(RequestKind.QUERY, queries::query);
        }
        return request.isSet(Headers.IS_UPSERT)
                ? new Route(RequestKind.ITEM_UPSERT, items::upsert)
                : new Route(RequestKind.ITEM_CREATE, items::create);
    }

    private Route item(WireRequest request) {
        return switch (request.method()) {
            case "GET" -> new Route(RequestKind.ITEM_READ, items::read);
            case "PUT" -> new Route(RequestKind.ITEM_REPLACE, items::replace);
            case "PATCH" -> new Route(RequestKind.ITEM_PATCH, items::patch);
            case "DELETE" -> new Route(RequestKind.ITEM_DELETE, items::delete);
            default -> notAllowed(request);
        };
    }

    private Route offers(WireRequest request) {
        return request.method().equals("GET") || QueryRequest.isQuery(request)
                ? new Route(RequestKind.OFFER, offers::list)
                : notAllowed(request);
    }

    private Route offer(WireRequest request) {
        return switch (request.method()) {
            case "GET" -> new Route(RequestKind.OFFER, offers::read);
            case "PUT" -> new Route(RequestKind.OFFER, offers::replace);
            default -> notAllowed(request);
        };
    }

    private static Route notAllowed(WireRequest request) {
        return errorRoute(
                new StatusException(405, 0, "The method " + request.method() + " is not allowed on " + request.path()));
    }

    private static Route unknown(WireRequest request) {
        for (var segment : request.path().segments()) {
            if (SCRIPTS.contains(segment)) {
                return errorRoute(StatusException.badRequest(
                        "Stored procedures, triggers and user-defined functions are not supported by this emulator."));
            }
            if (NOT_SUPPORTED.contains(segment)) {
                return errorRoute(StatusException.badRequest("'" + segment + "' is not supported by this emulator."));
            }
        }
        return errorRoute(new StatusException(404, 0, "There is no resource of this kind: " + request.path()));
    }

    /** A route for a path that names nothing, so that its signature can't be checked. */
    static Route unreadable(StatusException error) {
        return new Route(
                RequestKind.UNKNOWN,
                request -> {
                    throw error;
                },
                false);
    }

    private static Route errorRoute(StatusException error) {
        return new Route(RequestKind.UNKNOWN, request -> {
            throw error;
        });
    }
}
