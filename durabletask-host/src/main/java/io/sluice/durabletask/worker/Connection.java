package io.sluice.durabletask.worker;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.ServerTransportFilter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client's connection, which may carry several calls. Thread-safe. */
public final class Connection {
    /** Where a call finds its connection. */
    public static final Attributes.Key<Connection> KEY = Attributes.Key.create("connection");

    private final String peer;
    private final List<Runnable> onEnd = new ArrayList<>();
    private String userAgent = "";
    private boolean hasEnded;

    /** A connection from somewhere. */
    public Connection() {
        this("unknown");
    }

    private Connection(String peer) {
        this.peer = peer;
    }

    /** Gives every connection of a server such an object. */
    public static ServerTransportFilter filter() {
        return new ServerTransportFilter() {
            @Override
            public Attributes transportReady(Attributes attributes) {
                String peer = String.valueOf(attributes.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
                return attributes.toBuilder().set(KEY, new Connection(peer)).build();
            }

            @Override
            public void transportTerminated(@Nullable Attributes attributes) {
                Connection connection = attributes == null ? null : attributes.get(KEY);
                if (connection != null) {
                    connection.end();
                }
            }
        };
    }

    /** Notes what the other side calls itself. */
    public synchronized void noteUserAgent(@Nullable String name) {
        userAgent = name == null ? "" : name;
    }

    /** The other side, for people: its address, and what it calls itself. */
    public synchronized String name() {
        return userAgent.isEmpty() ? peer : peer + " (" + userAgent + ")";
    }

    /** Runs a task when the connection ends, or at once if it has ended. */
    public void onEnd(Runnable task) {
        synchronized (this) {
            if (!hasEnded) {
                onEnd.add(task);
                return;
            }
        }
        task.run();
    }

    /** Forgets a task. */
    public synchronized void forget(Runnable task) {
        onEnd.remove(task);
    }

    private void end() {
        List<Runnable> tasks;
        synchronized (this) {
            hasEnded = true;
            tasks = List.copyOf(onEnd);
            onEnd.clear();
        }
        tasks.forEach(Runnable::run);
    }
}
