package io.sluice.provider.request;

import com.azure.cosmos.CosmosDiagnostics;
import org.jspecify.annotations.Nullable;

/**
 * What one operation of the contract has cost so far. It is bound to the thread that runs the operation, which is also
 * the one that makes its requests; what it lets others do at the same time counts where it {@linkplain #add adds} that.
 */
public final class OperationCost {
    private static final ThreadLocal<@Nullable OperationCost> CURRENT = new ThreadLocal<>();

    private final String operation;
    private @Nullable String subject;
    private int requests;
    private int retries;
    private int conflicts;
    private int throttles;
    private double requestUnits;
    private long storeNanos;
    private long partitionBytes;
    private boolean lockLost;
    private int malformed;
    private int newer;
    private @Nullable String newerDocument;
    private long slowestNanos = -1;
    private @Nullable CosmosDiagnostics slowest;

    private OperationCost(String operation) {
        this.operation = operation;
    }

    /** Of the operation that this thread runs; null when it runs none. */
    public static @Nullable OperationCost current() {
        return CURRENT.get();
    }

    static OperationCost begin(String operation) {
        OperationCost cost = new OperationCost(operation);
        CURRENT.set(cost);
        return cost;
    }

    static void end() {
        CURRENT.remove();
    }

    /** Runs a part of an operation on this thread, which runs no other, and returns what that cost. */
    public static OperationCost measure(String operation, Runnable part) {
        OperationCost cost = begin(operation);
        try {
            part.run();
        } finally {
            end();
        }
        return cost;
    }

    /** Adds what another thread did for this operation, apart from its time, which passed meanwhile. */
    public void add(OperationCost part) {
        requests += part.requests;
        requestUnits += part.requestUnits;
        retries += part.retries;
        conflicts += part.conflicts;
        throttles += part.throttles;
        malformed += part.malformed;
        newer += part.newer;
        newerDocument = part.newerDocument == null ? newerDocument : part.newerDocument;
    }

    void add(RequestObserver.Ended request) {
        subject = request.call().subject();
        requests += request.requests();
        requestUnits += request.requestUnits();
        storeNanos += request.nanos();
        if (request.nanos() > slowestNanos && request.diagnostics() != null) {
            slowestNanos = request.nanos();
            slowest = request.diagnostics();
        }
        switch (request.kind()) {
            case CONFLICT, PRECONDITION_FAILED -> conflicts++;
            case THROTTLED -> throttles++;
            default -> {
                // Counted as a request, and as a retry if one follows.
            }
        }
    }

    static void paused(long nanos) {
        OperationCost cost = current();
        if (cost != null) {
            cost.retries++;
            cost.storeNanos += nanos;
        }
    }

    static void lockWasLost() {
        OperationCost cost = current();
        if (cost != null) {
            cost.lockLost = true;
        }
    }

    /**
     * Notes what was seen of one instance's partition: the history of one execution and the messages of a turn.
     *
     * @param bytes or the characters of their JSON, which are somewhat fewer
     */
    public static void partitionSeen(long bytes) {
        OperationCost cost = current();
        if (cost != null) {
            cost.partitionBytes = bytes;
        }
    }

    /** A document was met that only a newer release may touch. */
    public static void newerMet(String message) {
        OperationCost cost = current();
        if (cost != null) {
            cost.newer++;
            cost.newerDocument = message;
        }
    }

    /** A document of a queue was met for the first time, and can't be read. */
    public static void malformed() {
        OperationCost cost = current();
        if (cost != null) {
            cost.malformed++;
        }
    }

    boolean isLockLost() {
        return lockLost;
    }

    /** The contract's operation in camel case. */
    public String operation() {
        return operation;
    }

    /** What the last request was about, such as {@code instance 'order-7'}; null when there was none. */
    public @Nullable String subject() {
        return subject;
    }

    /** Requests sent. */
    public int requests() {
        return requests;
    }

    /** Pauses after which something was tried again. */
    public int retries() {
        return retries;
    }

    /** Answers 409 and 412: somebody else was faster. */
    public int conflicts() {
        return conflicts;
    }

    /** Answers 429. */
    public int throttles() {
        return throttles;
    }

    /** Documents of the queues that can't be read and that were met for the first time. */
    public int newerDocuments() {
        return newer;
    }

    /** What the last document of a newer release is; null when none was met. */
    public @Nullable String newerDocument() {
        return newerDocument;
    }

    /** Documents of a queue that were met for the first time, and can't be read. */
    public int malformedDocuments() {
        return malformed;
    }

    /** What the requests cost. */
    public double requestUnits() {
        return requestUnits;
    }

    /** What was seen of the instance's partition; 0 when nothing was. */
    public long partitionBytes() {
        return partitionBytes;
    }

    /** Time spent waiting for the store, pauses between tries included; the wait for work to come is not. */
    public long storeNanos() {
        return storeNanos;
    }

    /** The SDK's account of the slowest request, if it gave one. */
    @Nullable
    CosmosDiagnostics slowest() {
        return slowest;
    }
}
