package io.sluice.provider.lease;

import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Deadline;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.WriteOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Divides the 256 dispatch slots evenly among runtimes, for work that the application divides itself (fetching turns
 * does not need it), and within this runtime among its callers. Each runtime has a leased document, and a table in the
 * same partition names the holder of each slot. When a runtime stops renewing, another runtime removes its document and
 * frees its slots once the lease has expired.
 *
 * <p>While clocks differ by at most the {@linkplain LeaseConfig#margin() margin}, no slot has two holders: a runtime
 * stops giving out slots that long before its lease expires, and the shares that it given out end then too. All
 * runtimes go by their estimate of the service's time. A heartbeat costs one read and one write.
 *
 * <p>Give it a container of its own ({@link CosmosStore#provision} makes one): in the store's container each heartbeat
 * wakes the readers of the change feed. Thread-safe.
 */
public final class CosmosLeaseProvider implements LeaseProvider {
    private static final Logger LOG = LoggerFactory.getLogger(CosmosLeaseProvider.class);
    private static final String OPERATION = "renewSlots";
    private static final Duration LEAVING = Duration.ofSeconds(5);
    private static final String NOT_RENEWED =
            "the lease on slots could not be renewed; they are given up unless a renewal succeeds before it expires";

    private final ContainerRequests requests;
    private final String partition;
    private final String holder;
    private final LeaseConfig config;
    private final InstantSource clock;
    private final SharedSlots slots = new SharedSlots();
    private final CountDownLatch leaving = new CountDownLatch(1);
    private final Thread heart = new Thread(this::keepBeating, "slot-leases");

    /** A runtime's place in its group. */
    record Seat(String group, String runtime) {}

    CosmosLeaseProvider(ContainerRequests requests, Seat seat, LeaseConfig config, InstantSource clock) {
        this.requests = requests;
        this.partition = LeaseDocument.partition(OPERATION, "slots:" + seat.group());
        this.holder = seat.runtime() + ":" + UUID.randomUUID();
        this.config = config;
        this.clock = clock;
        DocumentIds.checkDocumentId(OPERATION, "runtime", SlotGroupView.memberId(holder));
    }

    /**
     * Joins the runtimes of a group, and renews until closed. The first slots come when the other runtimes have given
     * some up, after their next heartbeats at the latest.
     *
     * @param store a container, preferably a separate one; the caller closes it
     * @param group name of the runtimes that share the 256 slots, such as {@code orchestrations}
     * @param runtime a name for this one, for people; need not be unique
     * @throws ProviderException when the store can't be reached, or would not take the names
     */
    public static CosmosLeaseProvider join(CosmosStore store, String group, String runtime, LeaseConfig config) {
        var provider = new CosmosLeaseProvider(
                new ContainerRequests(store.container(), store.clockObserver()),
                new Seat(group, runtime),
                config,
                store.clock());
        provider.start();
        return provider;
    }

    void start() {
        try {
            beat();
        } catch (ProviderException e) {
            close();
            throw e;
        }
        heart.setDaemon(true);
        heart.start();
    }

    /** The name of this runtime in the store. */
    String holder() {
        return holder;
    }

    @Override
    public SlotShare acquireSlots(String callerId) {
        return slots.acquire(callerId, clock.millis(), Long.MAX_VALUE);
    }

    @Override
    public void releaseSlots(String callerId) {
        slots.release(callerId);
    }

    private void keepBeating() {
        Duration pause = Duration.ZERO;
        try {
            while (!leaving.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                pause = beatOrWarn();
            }
        } catch (InterruptedException e) {
            // By close(), which leaves the group itself.
            Thread.currentThread().interrupt();
        }
    }

    private Duration beatOrWarn() {
        try {
            return beat();
        } catch (RuntimeException e) {
            if (leaving.getCount() > 0) {
                LOG.atWarn().addKeyValue("holder", holder).setCause(e).log(NOT_RENEWED);
            }
        } catch (Error e) {
            // A thread that ended would never renew again, and no log would say so.
            LOG.atError().addKeyValue("holder", holder).setCause(e).log(NOT_RENEWED);
        }
        return config.heartbeat().dividedBy(4);
    }

    /**
     * Renews the lease, and gives up or takes slots.
     *
     * @return when to do so again
     * @throws ProviderException when the store does not answer in time, or refuses
     */
    synchronized Duration beat() {
        if (leaving.getCount() == 0) {
            return config.heartbeat();
        }
        Call call = call(config.heartbeat());
        Backoff backoff = new Backoff();
        while (true) {
            SlotGroupView view = read(call);
            // The lease begins before the request leaves: however long that takes, nobody else counts from earlier.
            Lease lease = config.lease(holder, clock.millis());
            SlotPlan plan = SlotPlan.of(view, partition, lease);
            // Stops using surplus slots before the write; uses new ones only after it.
            SortedSet<Integer> inUse = slots.restrictTo(plan.kept(), lease.acquiredAtMillis());
            SlotPlan.Heartbeat heartbeat = plan.heartbeat(inUse);
            WriteOutcome outcome = requests.batchPatiently(call, partition, heartbeat.writes());
            if (outcome.isCommitted()) {
                slots.open(heartbeat.usable(), config.safeUntil(lease));
                report(view, lease);
                return next(view, lease, heartbeat.settled());
            }
            // Also after a write without an answer: if it was committed, the next read shows that, and the next write
            // names that version.
            if (!outcome.needsReread() || !backoff.pause(call, null)) {
                throw Failures.of(call, outcome);
            }
        }
    }

    private SlotGroupView read(Call call) {
        try {
            return SlotGroupView.of(
                    requests.query(call, partition, SlotGroupView.QUERY).rows(), clock.instant());
        } catch (MalformedDocumentException e) {
            throw Failures.corrupt(call, e);
        }
    }

    private Duration next(SlotGroupView view, Lease lease, boolean settled) {
        Duration heartbeat = config.heartbeat();
        long most = settled ? heartbeat.toMillis() : heartbeat.toMillis() / 4;
        long now = lease.acquiredAtMillis();
        long untilExpiry = view.nextExpiry(holder).map(expiry -> expiry - now).orElse(Long.MAX_VALUE);
        long least = Math.max(1, heartbeat.toMillis() / 20);
        return Duration.ofMillis(Math.max(least, Math.min(most, untilExpiry)));
    }

    private void report(SlotGroupView view, Lease lease) {
        for (String other : view.aheadBy(config.margin(), lease.acquiredAtMillis())) {
            LOG.atWarn()
                    .addKeyValue("holder", holder)
                    .addKeyValue("other", other)
                    .addKeyValue("margin", config.margin())
                    .log("clocks differ by more than the margin, so a slot may have two holders; correct the time");
        }
        if (!view.members().containsKey(holder)) {
            LOG.atInfo().addKeyValue("holder", holder).log("this runtime joined the runtimes that share the slots");
        }
    }

    /** Leaves the group, within 5 s; if the store can't be reached, the lease expires by itself. */
    @Override
    public void close() {
        if (leaving.getCount() == 0) {
            return;
        }
        leaving.countDown();
        heart.interrupt();
        slots.open(Collections.emptySortedSet(), 0);
        try {
            leave();
        } catch (ProviderException e) {
            LOG.atWarn()
                    .addKeyValue("holder", holder)
                    .setCause(e)
                    .log("slots could not be released; they are free once their lease expires");
        }
    }

    private synchronized void leave() {
        // A heartbeat that was under way may have opened slots again.
        slots.open(Collections.emptySortedSet(), 0);
        Call call = call(LEAVING);
        Backoff backoff = new Backoff();
        while (true) {
            SlotGroupView view = read(call);
            List<BatchWrite> writes = SlotPlan.leaving(view, partition, holder);
            if (writes.isEmpty()) {
                return;
            }
            WriteOutcome outcome = requests.batchPatiently(call, partition, writes);
            if (outcome.isCommitted()) {
                return;
            }
            if (!outcome.needsReread() || !backoff.pause(call, null)) {
                throw Failures.of(call, outcome);
            }
        }
    }

    private Call call(Duration within) {
        return new Call(OPERATION, "slots '" + partition + "' for '" + holder + "'", Deadline.in(within));
    }
}
