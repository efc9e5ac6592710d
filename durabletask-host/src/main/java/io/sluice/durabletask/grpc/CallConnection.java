package io.sluice.durabletask.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.sluice.durabletask.worker.Connection;
import java.util.Objects;

/** Lets a call find its connection. Thread-safe. */
public final class CallConnection implements ServerInterceptor {
    private static final Context.Key<Connection> CURRENT = Context.key("connection");
    private static final Metadata.Key<String> USER_AGENT =
            Metadata.Key.of("user-agent", Metadata.ASCII_STRING_MARSHALLER);

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        Connection connection =
                Objects.requireNonNullElseGet(call.getAttributes().get(Connection.KEY), Connection::new);
        connection.noteUserAgent(headers.get(USER_AGENT));
        return Contexts.interceptCall(Context.current().withValue(CURRENT, connection), call, headers, next);
    }

    /** The connection of the current call. */
    static Connection current() {
        return CURRENT.get();
    }
}
