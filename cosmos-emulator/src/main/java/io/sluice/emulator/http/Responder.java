package io.sluice.emulator.http;

import io.sluice.emulator.RequestKind;
import io.sluice.emulator.Topology;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.controlplane.ControlHandlers;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.http.message.WireResponse;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the response to a request: first checks its signature, then its region, and runs its handler. Thread-safe. */
final class Responder {
    private static final Logger LOG = LoggerFactory.getLogger(Responder.class);
    private static final String RETRY_AFTER_MILLIS = "10";
    private static final int MAX_REDIRECTS = 5;
    private static final int WRITE_FORBIDDEN = 3;

    /** Probes come under any host's name, and learn nothing but that requests are served. */
    private static final List<String> HEALTH = List.of("health");

    private static final String BINARY_FORMAT = "CosmosBinary";
    private static final int FIRST_REDIRECTION = 300;
    private static final Set<RequestKind> WITH_ITEMS = EnumSet.of(
            RequestKind.ITEM_READ,
            RequestKind.ITEM_CREATE,
            RequestKind.ITEM_REPLACE,
            RequestKind.ITEM_UPSERT,
            RequestKind.ITEM_PATCH,
            RequestKind.QUERY,
            RequestKind.READ_FEED);

    private final Topology topology;
    private final MasterKeyAuthenticator authenticator;
    private final IdentityAuthenticator identities;

    Responder(Topology topology, ServerSettings settings) {
        this.topology = topology;
        this.authenticator = new MasterKeyAuthenticator(settings.key());
        this.identities = new IdentityAuthenticator(settings.key(), settings.clock());
    }

    /** The response to a request that is not authenticated, or lacks the right; null when it may be served. */
    @Nullable
    WireResponse refuse(Route route, WireRequest request) {
        try {
            authenticate(request, route);
            return null;
        } catch (StatusException e) {
            return error(e, request);
        } catch (RuntimeException e) {
            return failure(e, request);
        }
    }

    /** The response of the route's handler, or of the error that it or the region gave. */
    WireResponse respond(Route route, WireRequest request) {
        try {
            checkRegion(route.kind(), request);
            var response = handle(route.handler(), request);
            return isBinaryAsked(route.kind(), request, response) ? response.toBinary() : response;
        } catch (StatusException e) {
            return error(e, request);
        } catch (StackOverflowError e) {
            return error(StatusException.badRequest("The request is nested too deep."), request);
        } catch (RuntimeException e) {
            return failure(e, request);
        }
    }

    /** The response when the emulator, or what a test let it do, failed. */
    static WireResponse failure(Throwable cause, WireRequest request) {
        LOG.atError().addKeyValue("path", request.path()).setCause(cause).log("the emulator failed to serve a request");
        return error(
                new StatusException(
                        500, 0, "The emulator failed: " + cause.getClass().getSimpleName()),
                request);
    }

    /** The response that tells an error. */
    static WireResponse error(StatusException error, WireRequest request) {
        var response = WireResponse.error(error, request.activityId());
        boolean retriable = error.status() == 429 || error.status() == 449;
        return retriable && error.retryAfterMillis() == 0
                ? response.header(Headers.RETRY_AFTER, RETRY_AFTER_MILLIS)
                : response;
    }

    private void authenticate(WireRequest request, Route route) {
        if (route.kind() == RequestKind.CONTROL) {
            if (!request.path().segments().equals(HEALTH)) {
                ControlHandlers.checkHost(request);
            }
        } else if (!route.signed()) {
            return;
        } else if (IdentityAuthenticator.isAsked(request)) {
            identities.authenticate(request, route.kind());
        } else {
            authenticator.authenticate(request);
        }
    }

    /** A region that takes no writes refuses them with 403 and sub-status 3; clients then read the account again. */
    private void checkRegion(RequestKind kind, WireRequest request) {
        if (kind.isWrite() && !topology.takesWrites(request.region())) {
            throw new StatusException(
                    403,
                    WRITE_FORBIDDEN,
                    "The requested operation cannot be performed at this region: " + request.region());
        }
    }

    /**
     * Runs the handler. A partition may split after the handler has chosen it: a request that names no partition key
     * range is then handled again, and finds the partition that has its items now.
     */
    private static WireResponse handle(RequestHandler handler, WireRequest request) {
        for (int redirects = 0;
                request.header(Headers.PARTITION_KEY_RANGE) == null && redirects < MAX_REDIRECTS;
                redirects++) {
            try {
                return handler.handle(request);
            } catch (StatusException e) {
                if (!e.isPartitionGone()) {
                    throw e;
                }
            }
        }
        return handler.handle(request);
    }

    /** Items and results are binary JSON for clients that take it; all else is text. */
    private static boolean isBinaryAsked(RequestKind kind, WireRequest request, WireResponse response) {
        return WITH_ITEMS.contains(kind)
                && response.status() < FIRST_REDIRECTION
                && response.body().length > 0
                && request.list(Headers.SERIALIZATION_FORMATS).stream().anyMatch(BINARY_FORMAT::equalsIgnoreCase);
    }
}
