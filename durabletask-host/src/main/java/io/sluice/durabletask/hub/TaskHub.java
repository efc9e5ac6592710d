package io.sluice.durabletask.hub;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.durabletask.client.ClientContext;
import io.sluice.durabletask.client.HistoryStream;
import io.sluice.durabletask.client.Purges;
import io.sluice.durabletask.client.Queries;
import io.sluice.durabletask.client.Restarts;
import io.sluice.durabletask.client.Signals;
import io.sluice.durabletask.client.Starts;
import io.sluice.durabletask.client.States;
import io.sluice.durabletask.client.Terminations;
import io.sluice.durabletask.client.Waits;
import io.sluice.durabletask.dispatch.DaemonThreads;
import io.sluice.durabletask.dispatch.Dispatch;
import io.sluice.durabletask.dispatch.DispatchContext;
import io.sluice.durabletask.dispatch.DispatchMeters;
import io.sluice.durabletask.waiting.WaitingMonitor;
import io.sluice.durabletask.wire.Protocol.GetWorkItemsRequest;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.Wire;
import io.sluice.durabletask.worker.Connection;
import io.sluice.durabletask.worker.WorkKind;
import io.sluice.durabletask.worker.WorkerOffer;
import io.sluice.durabletask.worker.Workers;
import io.sluice.provider.cosmos.CosmosProvider;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The workers, the dispatch and the clients' operations of one container. Thread-safe. */
public final class TaskHub implements AutoCloseable {
    private final Workers workers = new Workers();
    private final Dispatch dispatch;
    private final States states;
    private final Starts starts;
    private final Signals signals;
    private final Queries queries;
    private final Purges purges;
    private final Restarts restarts;
    private final HistoryStream history;
    private final Terminations terminations;
    private final Waits waits;
    private final @Nullable WaitingMonitor waiting;
    private final StoreWatch store;
    private final boolean canBeEmptied;
    private final int defaultCredits;

    /**
     * Starts the dispatch.
     *
     * @param name that clients call it by
     * @param provider stays the caller's to close
     */
    public TaskHub(String name, CosmosProvider provider, HubSettings settings, MeterRegistry meters) {
        InstantSource clock = InstantSource.system();
        ClientContext context = new ClientContext(
                provider,
                provider.asManagementCapability().orElseThrow(),
                provider.starts(),
                provider.earlyMessages(),
                provider.queries(),
                clock);
        this.canBeEmptied = settings.canBeEmptied();
        this.defaultCredits = settings.defaultCredits();
        this.states = new States(context);
        this.starts = new Starts(context, settings.startReplacesEnded());
        this.queries = new Queries(context, states);
        this.purges = new Purges(context, states);
        this.restarts = new Restarts(states, starts);
        this.history = new HistoryStream(context, states);
        this.terminations = new Terminations(context, states, provider.instanceTurns());
        this.waits = new Waits(states, DaemonThreads.named("durabletask-waits"));
        this.signals = new Signals(context, states, waits);
        Gauge.builder("sluice.host.instances.awaited", waits, Waits::count)
                .description("Instances that clients wait for")
                .tag("hub", name)
                .register(meters);
        this.dispatch = new Dispatch(
                new DispatchContext(
                        name,
                        Wire.newGuid(),
                        provider,
                        workers,
                        settings.timing(),
                        settings.limits(),
                        new DispatchMeters(meters, name, workers),
                        clock,
                        System::nanoTime),
                settings.dispatchers(),
                waits::changed);
        Duration interval = settings.waitingInterval();
        this.waiting = interval.isZero()
                ? null
                : new WaitingMonitor(name, provider.waitingWork(interval), workers, meters, interval);
        if (waiting != null) {
            waiting.start();
        }
        this.store = new StoreWatch(name, provider);
    }

    /** That the store takes no calls, for how long, and why; empty while some of it answers. Asks nothing. */
    public Optional<String> storeFault() {
        return store.fault();
    }

    /** Takes in a worker, until its call ends. */
    public void connect(
            GetWorkItemsRequest request, Connection connection, ServerCallStreamObserver<WorkItem> observer) {
        dispatch.connect(WorkerOffer.of(request, defaultCredits), connection, observer);
    }

    /** What it does, for operators. */
    public Map<String, Object> status() {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("workers", workers.count());
        status.put("turnsInHand", workers.inHand(WorkKind.TURN));
        status.put("activitiesInHand", workers.inHand(WorkKind.ACTIVITY));
        status.put("instancesAwaited", waits.count());
        status.put("store", storeFault().orElse("answers"));
        if (waiting != null) {
            status.put("waiting", waiting.status());
        }
        return status;
    }

    /** What an operator should look after: work that no connected worker takes. */
    public List<String> problems() {
        return waiting == null ? List.of() : waiting.problems();
    }

    /** Who is connected. */
    public Workers workers() {
        return workers;
    }

    public Dispatch dispatch() {
        return dispatch;
    }

    public States states() {
        return states;
    }

    public Starts starts() {
        return starts;
    }

    public Signals signals() {
        return signals;
    }

    public Queries queries() {
        return queries;
    }

    public Purges purges() {
        return purges;
    }

    public Restarts restarts() {
        return restarts;
    }

    public HistoryStream history() {
        return history;
    }

    public Terminations terminations() {
        return terminations;
    }

    public Waits waits() {
        return waits;
    }

    /**
     * Deletes all instances, whatever they do.
     *
     * @throws io.grpc.StatusRuntimeException PERMISSION_DENIED unless the host's settings allow it
     */
    public void empty() {
        if (!canBeEmptied) {
            throw Status.PERMISSION_DENIED
                    .withDescription("this host deletes no task hub; remove its container instead")
                    .asRuntimeException();
        }
        purges.purgeAll();
    }

    /** Ends the streams of workers and the waiting of clients, and gives back what workers hold. */
    @Override
    public void close() {
        if (waiting != null) {
            waiting.close();
        }
        store.close();
        dispatch.close();
        waits.close();
    }
}
