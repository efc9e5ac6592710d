package io.sluice.durabletask.worker;

import io.grpc.stub.ServerCallStreamObserver;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import java.util.EnumMap;
import java.util.Map;

/** The stream by which one worker gets its work. Thread-safe. */
public final class WorkerStream {
    private final WorkerOffer offer;
    private final Connection connection;
    private final ServerCallStreamObserver<WorkItem> observer;
    /** Guarded by {@link Workers}. */
    private final Map<WorkKind, Integer> inHand = new EnumMap<>(WorkKind.class);

    private boolean isClosed;

    /** A stream that a worker has opened. */
    WorkerStream(WorkerOffer offer, Connection connection, ServerCallStreamObserver<WorkItem> observer) {
        this.offer = offer;
        this.connection = connection;
        this.observer = observer;
    }

    /** What the worker says that it takes. */
    public WorkerOffer offer() {
        return offer;
    }

    /** The worker, for people. */
    public String name() {
        return connection.name();
    }

    /** What the stream goes by. */
    public Connection connection() {
        return connection;
    }

    /**
     * Sends an item.
     *
     * @return false when the worker does not get it, for the stream has ended
     */
    public synchronized boolean send(WorkItem item) {
        if (isClosed || observer.isCancelled()) {
            return false;
        }
        observer.onNext(item);
        return true;
    }

    /** Ends the stream from this side; the worker opens another one when it wants to. */
    synchronized void end() {
        if (!isClosed) {
            isClosed = true;
            if (!observer.isCancelled()) {
                observer.onCompleted();
            }
        }
    }

    /** Notes that the other side has ended it. */
    synchronized void noteClosed() {
        isClosed = true;
    }

    boolean hasCredit(WorkKind kind) {
        return credits(kind) > 0 && !offer.filter(kind).equals(WorkFilter.NOTHING) && observer.isReady();
    }

    int credits(WorkKind kind) {
        return offer.limit(kind) - inHand(kind);
    }

    int inHand(WorkKind kind) {
        return inHand.getOrDefault(kind, 0);
    }

    void add(WorkKind kind, int items) {
        inHand.merge(kind, items, Integer::sum);
    }
}
