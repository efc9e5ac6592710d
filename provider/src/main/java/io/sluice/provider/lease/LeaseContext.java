package io.sluice.provider.lease;

import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Deadline;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.FieldPatch;
import io.sluice.provider.request.WriteOutcome;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Documents that one party at a time processes: the party that acquired the lease, until it breaks the lease or the
 * lease expires. When a party fails midway, another takes the document over once the lease has expired.
 *
 * <pre>{@code
 * for (LeasedItem item : leases.nextForState("requested", 5)) {
 *     leases.update(item, "sent", send(item.content()));
 *     leases.breakLease(item.id());
 * }
 * }</pre>
 *
 * <p>Every write of a holder names the version that it read under its lease, so a holder that was paused beyond the end
 * of its lease overwrites nothing. It may act outside this store only while {@link #holds} returns true. Thread-safe.
 */
public final class LeaseContext {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ContainerRequests requests;
    private final String partition;
    private final String holder;
    private final LeaseConfig config;
    private final InstantSource clock;
    private final LeaseSearch search;
    private long lastAcquiredAt;

    /** The parties and the documents they hold. */
    record Party(String collection, String holder) {}

    LeaseContext(ContainerRequests requests, Party party, LeaseConfig config, InstantSource clock) {
        this.requests = requests;
        this.partition = LeaseDocument.partition("leases", party.collection());
        this.holder = party.holder();
        this.config = config;
        this.clock = clock;
        this.search = new LeaseSearch(requests, partition, clock, this::nextLease);
    }

    /**
     * Opens a collection of documents as this party.
     *
     * @param collection its documents share one partition
     * @param holder the party's name; parties of one name hold leases together
     */
    public static LeaseContext of(CosmosStore store, String collection, String holder, LeaseConfig config) {
        return new LeaseContext(
                new ContainerRequests(store.container(), store.clockObserver(), store.limits()),
                new Party(collection, holder),
                config,
                store.clock());
    }

    /**
     * Adds a document without a lease.
     *
     * @throws ProviderException permanent when the id is taken
     */
    public void create(String id, String state, String content) {
        Call call = call("createItem", id);
        DocumentIds.checkDocumentId("createItem", "id", id);
        LeaseDocument document = new LeaseDocument(id, partition, state, content, now(), null);
        boolean inDoubt = false;
        while (true) {
            WriteOutcome outcome = write(call, new BatchWrite.Create(document.toJson()));
            if (outcome.isCommitted()) {
                return;
            }
            if (outcome.isConflict()) {
                boolean ours = inDoubt
                        && read(call, id)
                                .filter(stored -> stored.document().equals(document))
                                .isPresent();
                if (ours) {
                    return;
                }
                throw ProviderException.permanent("createItem", call.subject() + " exists already");
            }
            checkOrAgain(call, outcome);
            inDoubt = true;
        }
    }

    /**
     * Takes the lease, or renews it if it is ours.
     *
     * @throws ProviderException retryable, naming the holder, while another party has it; permanent when there is no
     *     such document
     */
    public LeasedItem acquire(String id) {
        Call call = call("acquireLease", id);
        while (true) {
            Stored<LeaseDocument> stored = require(call, id);
            refuseForeign(call, stored.document(), true);
            Lease lease = nextLease();
            WriteOutcome outcome = write(call, LeaseDocument.acquisition(stored, lease));
            Optional<LeasedItem> leased = outcome.match(
                    committed -> Optional.of(stored.document().toItem(lease, committed.firstEtag())),
                    refused -> Optional.empty(),
                    ambiguous -> Optional.of(require(call, id))
                            .filter(now -> lease.equals(now.document().lease()))
                            .map(now -> now.document().toItem(lease, now.etag())),
                    failed -> Optional.empty());
            if (leased.isPresent()) {
                return leased.get();
            }
            checkOrAgain(call, outcome);
        }
    }

    /**
     * Ends the lease if it is ours. An expired lease, or a document without one, is left as it is.
     *
     * @throws ProviderException permanent, naming the holder, when another party has it
     */
    public void breakLease(String id) {
        Call call = call("breakLease", id);
        while (true) {
            Optional<Stored<LeaseDocument>> stored = read(call, id);
            if (stored.isEmpty()) {
                return;
            }
            LeaseDocument document = stored.get().document();
            refuseForeign(call, document, false);
            Lease lease = document.lease();
            if (lease == null || !lease.holder().equals(holder)) {
                return;
            }
            WriteOutcome outcome = write(
                    call,
                    new BatchWrite.PatchFields(
                            id, LeaseDocument.leasing(null), stored.get().etag()));
            if (outcome.isCommitted()) {
                return;
            }
            checkOrAgain(call, outcome);
        }
    }

    /**
     * Leases documents in a state that no party holds; the document that has been in the state for longest comes first.
     * Parties that ask at the same time get different documents. One that is malformed is given to no party, and logged
     * once.
     *
     * @param most how many, 1 to 100
     */
    public List<LeasedItem> nextForState(String state, int most) {
        if (most < 1 || most > BatchWrite.MAX_OPERATIONS) {
            throw new IllegalArgumentException("most must be 1 to " + BatchWrite.MAX_OPERATIONS + ", was " + most);
        }
        Call call = new Call("nextForState", "'" + state + "' in '" + partition + "'", Deadline.in(PATIENCE));
        return search.lease(call, state, most);
    }

    /**
     * Changes a document under our lease, which stays as it is.
     *
     * @return the document as it is now
     * @throws ProviderException permanent when the lease has expired or was lost, naming the holder if there is one;
     *     nothing is changed then
     */
    public LeasedItem update(LeasedItem item, String state, String content) {
        Call call = call("updateItem", item.id());
        if (!item.lease().isAlive(now())) {
            throw lost(call, item.lease());
        }
        FieldPatch patch = FieldPatch.set(LeaseDocument.STATE, state)
                .and(LeaseDocument.CONTENT, content)
                .and(LeaseDocument.SINCE, now());
        while (true) {
            WriteOutcome outcome = write(call, new BatchWrite.PatchFields(item.id(), patch, item.etag()));
            if (outcome instanceof WriteOutcome.Committed committed) {
                return new LeasedItem(
                        item.id(),
                        state,
                        content,
                        item.lease(),
                        committed.etags().get(0));
            }
            checkOrAgain(call, outcome);
            // Refused, or without an answer: one read shows whether it was committed, and who holds the document.
            Stored<LeaseDocument> now = require(call, item.id());
            if (!item.lease().equals(now.document().lease())) {
                throw lost(call, now.document().lease());
            }
            if (!now.etag().equals(item.etag())) {
                if (now.document().state().equals(state)
                        && now.document().content().equals(content)) {
                    return now.document().toItem(item.lease(), now.etag());
                }
                throw ProviderException.permanent(
                        call.operation(),
                        call.operation() + " on " + call.subject()
                                + " refused: it was changed under this lease since it was read");
            }
        }
    }

    /**
     * Whether the holder may act on the item at this moment: its lease has {@link LeaseConfig#margin()} left, so that
     * no party whose clock differs by less finds the lease expired.
     */
    public boolean holds(LeasedItem item) {
        return item.lease().holder().equals(holder) && now() < config.safeUntil(item.lease());
    }

    private void refuseForeign(Call call, LeaseDocument document, boolean passes) {
        Lease lease = document.lease();
        if (lease != null && lease.excludes(holder, now())) {
            String message = call.operation() + " on " + call.subject() + " refused: '" + lease.holder()
                    + "' has leased it until " + Instant.ofEpochMilli(lease.expiresAtMillis());
            throw new ProviderException(call.operation(), message, passes, null);
        }
    }

    private ProviderException lost(Call call, @Nullable Lease current) {
        String why = current == null
                ? "nobody holds it"
                : current.isAlive(now()) ? "'" + current.holder() + "' took or renewed it" : "it has expired";
        return ProviderException.permanent(
                call.operation(), call.operation() + " on " + call.subject() + " refused: the lease is lost, " + why);
    }

    private Stored<LeaseDocument> require(Call call, String id) {
        return read(call, id)
                .orElseThrow(() -> ProviderException.permanent(call.operation(), call.subject() + " does not exist"));
    }

    private Optional<Stored<LeaseDocument>> read(Call call, String id) {
        return requests.read(call, partition, id).map(row -> LeaseDocument.stored(call, row));
    }

    private WriteOutcome write(Call call, BatchWrite write) {
        return requests.batchPatiently(call, partition, List.of(write));
    }

    /** Fails, unless reading the document again may help. */
    private static void checkOrAgain(Call call, WriteOutcome outcome) {
        boolean mayHelp = outcome.needsReread() && !outcome.isConflict();
        if (!mayHelp || call.deadline().isOver()) {
            throw Failures.of(call, outcome);
        }
    }

    /** Each lease of this party begins at a time of its own, so that a read shows which acquisition was committed. */
    private synchronized Lease nextLease() {
        lastAcquiredAt = Math.max(now(), lastAcquiredAt + 1);
        return config.lease(holder, lastAcquiredAt);
    }

    private Call call(String operation, String id) {
        return new Call(operation, "item '" + id + "' in '" + partition + "'", Deadline.in(PATIENCE));
    }

    private long now() {
        return clock.millis();
    }
}
