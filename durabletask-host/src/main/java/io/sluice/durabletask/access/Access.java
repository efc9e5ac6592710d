package io.sluice.durabletask.access;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls in: the header {@code authorization} must bear a token with the right for the call, and {@code taskhub}
 * names the task hub; without it there must be only one. A call that lasts ends with its token. Thread-safe.
 *
 * @param <H> a task hub
 */
public final class Access<H> implements ServerInterceptor {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> TASK_HUB = Metadata.Key.of("taskhub", Metadata.ASCII_STRING_MARSHALLER);
    private static final String BEARER = "bearer ";
    private static final Map<String, Right> RIGHTS = Map.ofEntries(
            Map.entry("GetWorkItems", Right.WORKER),
            Map.entry("CompleteActivityTask", Right.WORKER),
            Map.entry("CompleteOrchestratorTask", Right.WORKER),
            Map.entry("CompleteEntityTask", Right.WORKER),
            Map.entry("AbandonTaskActivityWorkItem", Right.WORKER),
            Map.entry("AbandonTaskOrchestratorWorkItem", Right.WORKER),
            Map.entry("AbandonTaskEntityWorkItem", Right.WORKER),
            Map.entry("CreateTaskHub", Right.ADMIN),
            Map.entry("DeleteTaskHub", Right.ADMIN));
    /** What a worker and a client do. */
    private static final String HISTORY = "StreamInstanceHistory";

    private final Context.Key<H> current;
    private final Map<String, H> hubs;
    private final @Nullable TokenCheck tokens;
    private final ScheduledExecutorService timer;

    /**
     * For these hubs.
     *
     * @param current gets the hub of each call
     * @param tokens null lets everybody in
     * @param timer judges the tokens of calls that last
     */
    public Access(
            Context.Key<H> current, Map<String, H> hubs, @Nullable TokenCheck tokens, ScheduledExecutorService timer) {
        this.current = current;
        this.hubs = Map.copyOf(hubs);
        this.tokens = tokens;
        this.timer = timer;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        try {
            // First: nobody else learns what task hubs there are.
            String authorization = headers.get(AUTHORIZATION);
            Grant grant = tokens == null ? null : grantOf(tokens, authorization);
            String hub = hubName(headers.get(TASK_HUB));
            String method = call.getMethodDescriptor().getBareMethodName();
            if (grant != null) {
                authorize(grant, method, hub);
            }
            Context context = Context.current().withValue(current, hub(hub));
            if (tokens == null || grant == null) {
                return Contexts.interceptCall(context, call, headers, next);
            }
            BoundCall<Q, R> bound = new BoundCall<>(
                    call,
                    timer,
                    () -> bearer(authorization)
                            .flatMap(tokens::grantOf)
                            .filter(still -> isAllowed(still, method) && still.opens(hub)));
            return bound.bind(Contexts.interceptCall(context, bound, headers, next), grant);
        } catch (StatusRuntimeException e) {
            call.close(e.getStatus(), new Metadata());
            return new ServerCall.Listener<>() {};
        }
    }

    private String hubName(@Nullable String named) {
        if (named != null && !named.isEmpty()) {
            return named;
        }
        if (hubs.size() != 1) {
            throw Status.INVALID_ARGUMENT
                    .withDescription("taskhub: the header must name one of this host's " + hubs.size() + " task hubs")
                    .asRuntimeException();
        }
        return hubs.keySet().iterator().next();
    }

    private H hub(String name) {
        H found = hubs.get(name);
        if (found == null) {
            throw Status.NOT_FOUND
                    .withDescription("taskhub: this host has no task hub '" + name + "'")
                    .asRuntimeException();
        }
        return found;
    }

    private static Grant grantOf(TokenCheck tokens, @Nullable String authorization) {
        return bearer(authorization)
                .flatMap(tokens::grantOf)
                .orElseThrow(() -> Status.UNAUTHENTICATED
                        .withDescription("authorization: expected 'Bearer' and a token that is valid here")
                        .asRuntimeException());
    }

    private static void authorize(Grant grant, @Nullable String method, String hub) {
        if (!isAllowed(grant, method) || !grant.opens(hub)) {
            throw Status.PERMISSION_DENIED
                    .withDescription("the token does not allow " + method + " on task hub '" + hub + "'")
                    .asRuntimeException();
        }
    }

    private static boolean isAllowed(Grant grant, @Nullable String method) {
        if (HISTORY.equals(method)) {
            return grant.rights().contains(Right.CLIENT) || grant.rights().contains(Right.WORKER);
        }
        return "Hello".equals(method)
                || grant.rights().contains(RIGHTS.getOrDefault(method == null ? "" : method, Right.CLIENT));
    }

    private static Optional<String> bearer(@Nullable String authorization) {
        return authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? Optional.of(authorization.substring(BEARER.length()).trim())
                : Optional.empty();
    }
}
