package io.sluice.durabletask.conformance;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.sluice.durabletask.dispatch.DaemonThreads;
import io.sluice.durabletask.turn.Answers;
import io.sluice.durabletask.wire.Protocol.ActivityRequest;
import io.sluice.durabletask.wire.Protocol.ActivityResponse;
import io.sluice.durabletask.wire.Protocol.GetWorkItemsRequest;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.OrchestratorRequest;
import io.sluice.durabletask.wire.Protocol.OrchestratorResponse;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.Protocol.WorkerCapability;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc.TaskHubSidecarServiceBlockingStub;
import io.sluice.durabletask.wire.Wire;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A worker on the generated stub. What a function is given for is answered by it; what else comes stays in hand until
 * the test says what becomes of it. It takes only what it names, unless {@link #takesAll} is called. Thread-safe once
 * it is connected.
 */
final class ScriptedWorker implements AutoCloseable {
    /** More than anything takes that is to happen. */
    static final Duration PATIENCE = Duration.ofMinutes(1);
    /** Less than a lock lasts: work that was lost on its way and comes again must not be taken for work that came. */
    private static final Duration BEFORE_ITS_LOCK_LAPSES = Duration.ofSeconds(25);

    private final ManagedChannel channel;
    private final GetWorkItemsRequest.Builder offer = GetWorkItemsRequest.newBuilder();
    private final Map<String, Function<OrchestratorRequest, OrchestratorResponse>> orchestrators =
            new ConcurrentHashMap<>();
    private final Map<String, Function<ActivityRequest, ActivityResponse>> activities = new ConcurrentHashMap<>();
    private final Inbox inbox = new Inbox();
    private final ExecutorService hands = Executors.newCachedThreadPool(DaemonThreads.named("worker"));
    private final List<Status> refusals = new CopyOnWriteArrayList<>();
    private boolean takesAll;
    private boolean readsWhenTold;
    private @Nullable Stream stream;

    /** A worker that has this connection for itself. */
    ScriptedWorker(ManagedChannel channel) {
        this.channel = channel;
    }

    ScriptedWorker takesAll() {
        takesAll = true;
        return this;
    }

    /** Takes turns of this orchestration, of these versions, or of all when none is named. */
    ScriptedWorker takes(String orchestration, String... versions) {
        offer.getWorkItemFiltersBuilder()
                .addOrchestrationsBuilder()
                .setName(orchestration)
                .addAllVersions(List.of(versions));
        return this;
    }

    ScriptedWorker takesActivity(String activity, String... versions) {
        offer.getWorkItemFiltersBuilder()
                .addActivitiesBuilder()
                .setName(activity)
                .addAllVersions(List.of(versions));
        return this;
    }

    /** Answers turns of this orchestration by the function. */
    ScriptedWorker orchestrates(String name, Function<OrchestratorRequest, OrchestratorResponse> script) {
        orchestrators.put(name, script);
        return takes(name);
    }

    /** Answers activities of this name with the result of the function. */
    ScriptedWorker performs(String name, Function<ActivityRequest, String> script) {
        activities.put(
                name,
                request -> ActivityResponse.newBuilder()
                        .setResult(Wire.text(script.apply(request)))
                        .build());
        return takesActivity(name);
    }

    /** How many turns and activities it takes at once. */
    ScriptedWorker limits(int turns, int ofActivities) {
        offer.setMaxConcurrentOrchestrationWorkItems(turns).setMaxConcurrentActivityWorkItems(ofActivities);
        return this;
    }

    ScriptedWorker streamsHistory() {
        offer.addCapabilities(WorkerCapability.WORKER_CAPABILITY_HISTORY_STREAMING);
        return this;
    }

    /** It reads only what {@link #read} asks for. */
    ScriptedWorker readsWhenTold() {
        readsWhenTold = true;
        return this;
    }

    ScriptedWorker connect() {
        if (takesAll) {
            offer.clearWorkItemFilters();
        }
        Stream opened = new Stream();
        stream = opened;
        TaskHubSidecarServiceGrpc.newStub(channel).getWorkItems(offer.build(), opened);
        return this;
    }

    void read(int items) {
        Objects.requireNonNull(stream).call().request(items);
    }

    /** Ends the stream, with all that it has in hand. */
    void breakStream() {
        Objects.requireNonNull(stream).call().cancel("the test breaks the stream", null);
    }

    /** How the stream has ended. */
    CompletableFuture<Status> ended() {
        return Objects.requireNonNull(stream).ended;
    }

    Inbox inbox() {
        return inbox;
    }

    /** Waits for a turn of this instance. */
    WorkItem turn(String instance) {
        return turn(instance, BEFORE_ITS_LOCK_LAPSES)
                .orElseThrow(() -> new AssertionError("no turn of " + instance + " came, but " + inbox.content()));
    }

    Optional<WorkItem> turn(String instance, Duration patience) {
        return inbox.take(item -> item.getOrchestratorRequest().getInstanceId().equals(instance), patience);
    }

    /** Waits for an activity of this instance. */
    WorkItem activity(String instance) {
        return activity(instance, BEFORE_ITS_LOCK_LAPSES)
                .orElseThrow(() -> new AssertionError("no activity of " + instance + " came, but " + inbox.content()));
    }

    Optional<WorkItem> activity(String instance, Duration patience) {
        return inbox.take(
                item -> item.getActivityRequest()
                        .getOrchestrationInstance()
                        .getInstanceId()
                        .equals(instance),
                patience);
    }

    /** Waits for the next turn of the instance and decides this in it. */
    OrchestratorRequest decide(String instance, OrchestratorAction... actions) {
        WorkItem turn = turn(instance);
        complete(turn, actions);
        return turn.getOrchestratorRequest();
    }

    void complete(WorkItem turn, OrchestratorAction... actions) {
        complete(turn, Answers.answer(actions));
    }

    void complete(WorkItem turn, OrchestratorResponse response) {
        var unused = stub().completeOrchestratorTask(answerTo(turn, response));
    }

    static OrchestratorResponse answerTo(WorkItem turn, OrchestratorResponse response) {
        return response.toBuilder()
                .setInstanceId(turn.getOrchestratorRequest().getInstanceId())
                .setCompletionToken(turn.getCompletionToken())
                .build();
    }

    void complete(WorkItem activity, String result) {
        var unused = stub().completeActivityTask(answerTo(
                activity,
                ActivityResponse.newBuilder().setResult(Wire.text(result)).build()));
    }

    void fail(WorkItem activity, String type, String message) {
        ActivityResponse.Builder response = ActivityResponse.newBuilder();
        response.getFailureDetailsBuilder().setErrorType(type).setErrorMessage(message);
        var unused = stub().completeActivityTask(answerTo(activity, response.build()));
    }

    static ActivityResponse answerTo(WorkItem activity, ActivityResponse response) {
        ActivityRequest request = activity.getActivityRequest();
        return response.toBuilder()
                .setInstanceId(request.getOrchestrationInstance().getInstanceId())
                .setTaskId(request.getTaskId())
                .setCompletionToken(activity.getCompletionToken())
                .build();
    }

    TaskHubSidecarServiceBlockingStub stub() {
        return TaskHubSidecarServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void got(WorkItem item) {
        if (item.hasHealthPing()) {
            return;
        }
        var orchestrator = item.hasOrchestratorRequest() && !orchestrators.isEmpty()
                ? orchestrators.get(
                        Events.started(item.getOrchestratorRequest()).getName())
                : null;
        var activity = item.hasActivityRequest()
                ? activities.get(item.getActivityRequest().getName())
                : null;
        if (orchestrator != null) {
            answer(() -> complete(item, orchestrator.apply(item.getOrchestratorRequest())));
        } else if (activity != null) {
            answer(() -> perform(item, activity));
        } else {
            inbox.put(item);
        }
    }

    /** A worker whose answer is refused drops what it has decided, as SDKs do. */
    private void answer(Runnable call) {
        hands.execute(() -> {
            try {
                call.run();
            } catch (StatusRuntimeException e) {
                refusals.add(e.getStatus());
            }
        });
    }

    /** What the host has said to answers of functions that it did not take. */
    List<Status> refusals() {
        return refusals;
    }

    private void perform(WorkItem item, Function<ActivityRequest, ActivityResponse> activity) {
        var unused = stub().completeActivityTask(answerTo(item, activity.apply(item.getActivityRequest())));
    }

    @Override
    public void close() {
        channel.shutdownNow();
        hands.shutdownNow();
    }

    private final class Stream implements ClientResponseObserver<GetWorkItemsRequest, WorkItem> {
        private final CompletableFuture<Status> ended = new CompletableFuture<>();
        private @Nullable ClientCallStreamObserver<GetWorkItemsRequest> call;

        @Override
        public void beforeStart(ClientCallStreamObserver<GetWorkItemsRequest> begun) {
            call = begun;
            if (readsWhenTold) {
                begun.disableAutoRequestWithInitial(0);
            }
        }

        ClientCallStreamObserver<GetWorkItemsRequest> call() {
            return Objects.requireNonNull(call, "the worker is not connected");
        }

        @Override
        public void onNext(WorkItem item) {
            got(item);
        }

        @Override
        public void onError(Throwable failure) {
            ended.complete(Status.fromThrowable(failure));
        }

        @Override
        public void onCompleted() {
            ended.complete(Status.OK);
        }
    }
}
