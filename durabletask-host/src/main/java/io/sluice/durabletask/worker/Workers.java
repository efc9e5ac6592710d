package io.sluice.durabletask.worker;

import io.grpc.stub.ServerCallStreamObserver;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The workers that are connected. A dispatcher waits here until one of them can take something, fetches what such
 * workers take, and asks for the worker that gets it. So nothing is fetched that nobody takes, and nothing at all
 * without a worker. Thread-safe.
 */
public final class Workers {
    private final List<WorkerStream> streams = new ArrayList<>();
    /** Dispatchers that have a credit promised and fetch an item. */
    private final Map<WorkKind, Integer> fetching = new EnumMap<>(WorkKind.class);

    private final RefusedVersions refusedVersions = new RefusedVersions(System::nanoTime);

    private boolean isClosed;

    /** Takes in a worker. */
    public synchronized WorkerStream connect(
            WorkerOffer offer, Connection connection, ServerCallStreamObserver<WorkItem> observer) {
        WorkerStream stream = new WorkerStream(offer, connection, observer);
        if (isClosed) {
            stream.end();
        } else {
            streams.add(stream);
            notifyAll();
        }
        return stream;
    }

    /** Forgets a worker whose stream has ended; what it holds is the caller's to give back. */
    public void disconnect(WorkerStream stream) {
        stream.noteClosed();
        synchronized (this) {
            streams.remove(stream);
            notifyAll();
        }
    }

    /** Says that a worker may have become able to take more. */
    public synchronized void changed() {
        notifyAll();
    }

    /**
     * Waits until some worker can take an item of this kind that no other dispatcher fetches. Call {@link #fetched}
     * afterwards.
     *
     * @return what such workers take; nothing when the host closes
     */
    public synchronized Optional<WorkFilter> awaitCredit(WorkKind kind) throws InterruptedException {
        while (!isClosed && freeCredits(kind) <= fetching.getOrDefault(kind, 0)) {
            wait();
        }
        if (isClosed) {
            return Optional.empty();
        }
        fetching.merge(kind, 1, Integer::sum);
        return Optional.of(streams.stream()
                .filter(stream -> stream.hasCredit(kind))
                .map(stream -> stream.offer().filter(kind))
                .reduce(WorkFilter.NOTHING, WorkFilter::or));
    }

    /** Several workers without a limit have more than an int holds. */
    private long freeCredits(WorkKind kind) {
        return streams.stream()
                .filter(stream -> stream.hasCredit(kind))
                .mapToLong(stream -> stream.credits(kind))
                .sum();
    }

    /** Ends what {@link #awaitCredit} began. */
    public synchronized void fetched(WorkKind kind) {
        fetching.merge(kind, -1, Integer::sum);
        notifyAll();
    }

    /**
     * The worker that gets an item: of those that take it, the one with the fewest items, and among these the one that
     * was chosen longest ago. The item counts as in its hand until it is {@linkplain #release released}.
     *
     * @param version empty for none
     * @return nothing when no worker can take it now
     */
    public synchronized Optional<WorkerStream> assign(WorkKind kind, String name, String version) {
        Optional<WorkerStream> chosen = streams.stream()
                .filter(stream ->
                        stream.hasCredit(kind) && stream.offer().filter(kind).accepts(name, version))
                .min(Comparator.comparingInt(stream -> stream.inHand(kind)));
        chosen.ifPresent(stream -> {
            stream.add(kind, 1);
            streams.remove(stream);
            streams.add(stream);
        });
        return chosen;
    }

    /**
     * Whether some worker takes items of this name and version, be it that it can take none now.
     *
     * @param version empty for none; null where it is not known, and any will do
     */
    public synchronized boolean isTaken(WorkKind kind, String name, @Nullable String version) {
        return streams.stream()
                .map(stream -> stream.offer().filter(kind))
                .anyMatch(filter -> version == null ? filter.acceptsSome(name) : filter.accepts(name, version));
    }

    /** Activities of versions that no worker takes. */
    public RefusedVersions refusedVersions() {
        return refusedVersions;
    }

    /** Notes that a worker holds one item less. */
    public synchronized void release(WorkKind kind, WorkerStream stream) {
        stream.add(kind, -1);
        notifyAll();
    }

    /** Sends a sign of life to every worker: some take a silent stream for a dead one. */
    public void ping(WorkItem ping) {
        connected().forEach(stream -> stream.send(ping));
    }

    /** The workers that are connected besides this one. */
    public synchronized List<WorkerStream> others(WorkerStream one) {
        return streams.stream().filter(stream -> !stream.equals(one)).toList();
    }

    /** How many workers are connected. */
    public synchronized int count() {
        return streams.size();
    }

    /** How many items of a kind workers hold. */
    public synchronized int inHand(WorkKind kind) {
        return streams.stream().mapToInt(stream -> stream.inHand(kind)).sum();
    }

    /** Ends all streams and everybody's waiting. */
    public void close() {
        synchronized (this) {
            isClosed = true;
            notifyAll();
        }
        connected().forEach(WorkerStream::end);
    }

    private synchronized List<WorkerStream> connected() {
        return List.copyOf(streams);
    }
}
