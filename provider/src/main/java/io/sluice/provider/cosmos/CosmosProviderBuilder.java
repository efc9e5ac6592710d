package io.sluice.provider.cosmos;

import com.azure.cosmos.CosmosClientBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.provider.ProviderException;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.cosmos.deletion.ExpectedRelay;
import io.sluice.provider.cosmos.search.SearchRests;
import io.sluice.provider.cosmos.slot.SlotSettings;
import io.sluice.provider.cosmos.turn.ack.TurnSettings;
import io.sluice.provider.outbox.PublishedPrefix;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.OperationObserver;
import io.sluice.provider.request.Operations;
import io.sluice.provider.request.RequestObserver;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Collects what a provider needs; either a store or a config. Made by {@link CosmosProvider#builder()}. */
public final class CosmosProviderBuilder {
    /** From which time spent on the store an operation is logged as slow, unless set otherwise. */
    public static final Duration DEFAULT_SLOW_OPERATION = Duration.ofSeconds(1);

    /** A wait for the relay that is long for one that keeps up. */
    public static final Duration DEFAULT_RELAY_TIMEOUT = Duration.ofSeconds(30);

    /** For how long an enqueue is tried, unless set otherwise. */
    public static final Duration DEFAULT_ENQUEUE_TIMEOUT = Duration.ofSeconds(10);

    private static final Duration RECONCILE_INTERVAL = Duration.ofSeconds(15);

    private @Nullable CosmosStore store;
    private @Nullable CosmosStoreConfig config;
    private boolean immediateDelivery = true;
    private boolean dropOrphanEvents;
    private boolean refuseForeignEvents;
    private Fleet fleet = Fleet.SLUICE;
    private @Nullable InstantSource clock;
    private InstantSource machineClock = InstantSource.system();
    private Duration slowOperation = DEFAULT_SLOW_OPERATION;
    private @Nullable ProviderMeters meters;
    private @Nullable Duration relayTimeout;
    private boolean isRelayRegistered;
    private @Nullable Boolean reconciler;
    private Duration reconcileInterval = RECONCILE_INTERVAL;
    private Duration deliveryTimeout = TurnSettings.DELIVERY_TIMEOUT;
    private Duration enqueueTimeout = DEFAULT_ENQUEUE_TIMEOUT;
    private HostEnvironment environment = HostEnvironment.real();
    private @Nullable WorkFeed workFeed;
    private SlotSettings slots = SlotSettings.DEFAULT;
    private SearchRests searchIntervals = SearchRests.DEFAULT;

    CosmosProviderBuilder() {}

    /** Works on an opened store, which stays the caller's to close. */
    public CosmosProviderBuilder store(CosmosStore openStore) {
        this.store = openStore;
        return this;
    }

    /** Opens a store of its own, and closes it with the provider. */
    public CosmosProviderBuilder config(CosmosStoreConfig storeConfig) {
        this.config = storeConfig;
        return this;
    }

    /**
     * Opens a store with a client builder of the caller's; see
     * {@link CosmosStoreConfig#of(CosmosClientBuilder, String, String)}.
     */
    public CosmosProviderBuilder client(CosmosClientBuilder prepared, String database, String container) {
        return config(CosmosStoreConfig.of(prepared, database, container));
    }

    /**
     * Whether an ack tries to deliver to other partitions itself (the default), or leaves that to the relay. It waits
     * for that no longer than half a minute: what is not delivered by then is left to a relay or a reconciler.
     */
    public CosmosProviderBuilder immediateDelivery(boolean enabled) {
        this.immediateDelivery = enabled;
        return this;
    }

    /**
     * Whether events raised to instances that never started are dropped, as messages to their queues are: by the first
     * fetch that meets them, unless a start is there too, be it put off. Off by default: they wait for a start. On,
     * an event that is met before its instance's start is sent is lost. All processes on a store should agree.
     */
    public CosmosProviderBuilder dropOrphanEvents(boolean enabled) {
        this.dropOrphanEvents = enabled;
        return this;
    }

    /**
     * Whether an ack is refused, permanent, when an event of its history names another instance than the turn's. Off by
     * default, as in other providers of the contract: such an event is stored as the turn's, under the turn's name. On,
     * a runtime that mixes up instances is told, and its turn fails.
     */
    public CosmosProviderBuilder refuseForeignEvents(boolean enabled) {
        this.refuseForeignEvents = enabled;
        return this;
    }

    /** Who else works on the store; {@link Fleet#SLUICE} by default. */
    public CosmosProviderBuilder fleet(Fleet whoElse) {
        this.fleet = whoElse;
        return this;
    }

    /**
     * A relay publishes the histories of this store: what it has not published yet is neither deleted nor pruned. It
     * also delivers what acks leave undelivered. None is expected by default.
     *
     * @param timeout how long an operation that removes history waits for the relay before it fails, retryable, with
     *     nothing removed; {@link #DEFAULT_RELAY_TIMEOUT} suits a relay that keeps up
     */
    public CosmosProviderBuilder relayExpected(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("relayExpected: the timeout must be positive, was " + timeout);
        }
        this.relayTimeout = Arguments.bounded(timeout);
        this.isRelayRegistered = false;
        return this;
    }

    /**
     * The same where relays have registered that they publish this store, as they do at their first start; elsewhere
     * history is removed at once. It is looked up when history is removed, by one point read in some seconds at most.
     * What acks leave undelivered this provider delivers too, unless {@link #reconciler} says otherwise: the
     * registration does not say that a relay runs now.
     *
     * @param timeout how long an operation that removes history waits for the relay before it fails, retryable, with
     *     nothing removed
     */
    public CosmosProviderBuilder relayWherePublished(Duration timeout) {
        relayExpected(timeout);
        this.isRelayRegistered = true;
        return this;
    }

    /**
     * Whether this provider searches every quarter of a minute for what acks left undelivered for more than five
     * seconds, and delivers it. Unless set, it does where no relay is expected and immediate delivery is on; without it
     * and without a relay, what an ack could not deliver stays undelivered, and a parent waits for ever. Any number of
     * providers and relays may do it at once; each search costs one request to each physical partition.
     */
    public CosmosProviderBuilder reconciler(boolean enabled) {
        this.reconciler = enabled;
        return this;
    }

    CosmosProviderBuilder reconcileInterval(Duration interval) {
        this.reconcileInterval = interval;
        return this;
    }

    CosmosProviderBuilder deliveryTimeout(Duration timeout) {
        this.deliveryTimeout = timeout;
        return this;
    }

    /**
     * For how long an enqueue is tried while the store gives no answer or refuses in passing;
     * {@link #DEFAULT_ENQUEUE_TIMEOUT} unless set. However many tries it takes, one message comes of them.
     */
    public CosmosProviderBuilder enqueueTimeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("enqueueTimeout must be positive, was " + timeout);
        }
        this.enqueueTimeout = Arguments.bounded(timeout);
        return this;
    }

    /**
     * Whether processes that meet over the same work share it out: each then queries first a part of the 256 dispatch
     * slots, by which instances are told apart, and at the others' when these have waited some seconds. On by default.
     * A process that meets no other sends nothing for it; one that does sends up to 6 requests a minute while it has
     * work.
     */
    public CosmosProviderBuilder shareDispatchSlots(boolean enabled) {
        return slotSettings(enabled ? SlotSettings.DEFAULT : SlotSettings.OFF);
    }

    /**
     * How long a process waits between two queries for work: {@code first} after work was found, then ever longer, up
     * to {@code longest} while there is none; 32 ms and a second by default, from 1 ms to a minute. A query is one
     * request to each physical partition, and finds what other processes queued; a process's own work is known to it
     * at once.
     */
    public CosmosProviderBuilder searchIntervals(Duration first, Duration longest) {
        this.searchIntervals = new SearchRests(first, longest);
        return this;
    }

    SearchRests searchIntervals() {
        return searchIntervals;
    }

    /**
     * What says where work is, so that this provider need not query the store for it; none by default. While the feed
     * is not healthy, the provider queries as without one. The provider closes it; one that several providers share is
     * given to each as {@link WorkFeed#shared}.
     */
    public CosmosProviderBuilder workFeed(WorkFeed feed) {
        this.workFeed = feed;
        return this;
    }

    @Nullable
    WorkFeed workFeed() {
        return workFeed;
    }

    /** For tests that do not wait for lost races. */
    CosmosProviderBuilder slotSettings(SlotSettings settings) {
        this.slots = settings;
        return this;
    }

    SlotSettings slotSettings() {
        return slots;
    }

    /** Where the time comes from, for tests; the service's own time by default, whatever this machine's clock says. */
    public CosmosProviderBuilder clock(InstantSource source) {
        this.clock = source;
        return this;
    }

    /** What stands for this machine's clock when the store is opened here; the service's answers then correct it. */
    CosmosProviderBuilder machineClock(InstantSource source) {
        this.machineClock = source;
        return this;
    }

    /** Something else than this machine, for simulations. */
    CosmosProviderBuilder environment(HostEnvironment simulated) {
        this.environment = simulated;
        return this;
    }

    HostEnvironment environment() {
        return environment;
    }

    /** Meters every operation here; by default nothing is metered. Needs {@code micrometer-core} on the class path. */
    public CosmosProviderBuilder meterRegistry(MeterRegistry registry) {
        this.meters = new ProviderMeters(registry);
        return this;
    }

    /**
     * From which time spent on the store (waiting for work is not) an operation is logged as slow;
     * {@link #DEFAULT_SLOW_OPERATION} by default, zero logs all.
     */
    public CosmosProviderBuilder slowOperationThreshold(Duration threshold) {
        if (threshold.isNegative()) {
            throw new IllegalArgumentException("slowOperationThreshold must not be negative, was " + threshold);
        }
        this.slowOperation = Arguments.bounded(threshold);
        return this;
    }

    /**
     * Opens the store if need be.
     *
     * @throws ProviderException naming the place and the remedy when the store can't be opened
     * @throws IllegalStateException when neither or both of store and config were given
     */
    public CosmosProvider build() {
        CosmosStore given = store;
        CosmosStoreConfig toOpen = config;
        if (given != null && toOpen == null) {
            return new CosmosProvider(this, given, false).start();
        }
        if (toOpen != null && given == null) {
            return new CosmosProvider(this, CosmosStore.open(toOpen, machineClock), true).start();
        }
        throw new IllegalStateException("give the provider either a store or a config");
    }

    InstantSource clock(CosmosStore opened) {
        return clock == null ? opened.clock() : clock;
    }

    ExpectedRelay expectedRelay(PublishedPrefix prefix) {
        Duration timeout = relayTimeout;
        return timeout != null && isRelayRegistered
                ? ExpectedRelay.where(prefix, timeout)
                : ExpectedRelay.always(timeout);
    }

    boolean isReconciling() {
        boolean isLeftToRelay = relayTimeout != null && !isRelayRegistered;
        return reconciler == null ? !isLeftToRelay && immediateDelivery : reconciler;
    }

    Duration reconcileInterval() {
        return reconcileInterval;
    }

    boolean isBesideRustWriters() {
        return fleet == Fleet.MIXED;
    }

    Duration enqueueTimeout() {
        return enqueueTimeout;
    }

    TurnSettings turnSettings() {
        return new TurnSettings(
                immediateDelivery,
                environment.pairsAtOnce(),
                deliveryTimeout,
                isBesideRustWriters(),
                dropOrphanEvents,
                refuseForeignEvents);
    }

    Operations operations() {
        return new Operations(meters == null ? OperationObserver.NONE : meters, slowOperation);
    }

    ContainerRequests requests(CosmosStore opened) {
        RequestObserver watching = opened.clockObserver().and(environment.observer());
        RequestObserver observer = meters == null ? watching : watching.and(meters.requests());
        return new ContainerRequests(opened.container(), observer, opened.limits());
    }

    /** Shows what the store knows in the meters, until the answer is run. */
    Runnable gauges(CosmosStore opened) {
        return meters == null ? () -> {} : meters.clockOffset(opened::clockOffset);
    }
}
