package io.sluice.provider.world.game;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderException;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.model.ReferenceStore;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.world.game.Compared.Tested;
import io.sluice.provider.world.site.VirtualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A model with a bug, in the place of the provider: the comparison must find it. */
enum FaultyModel {
    NONE("none", (args, call) -> call.with(args)),
    VALUE_LOST("getKvAllValues", (args, call) -> {
        Map<Object, Object> values = new HashMap<>((Map<?, ?>) Objects.requireNonNull(call.with(args)));
        values.remove("k1");
        return values;
    }),
    ATTEMPTS_MISCOUNTED(
            "fetchOrchestrationItem",
            (args, call) -> ((Optional<?>) Objects.requireNonNull(call.with(args)))
                    .map(LockedTurn.class::cast)
                    .map(turn -> new LockedTurn(turn.item(), turn.lockToken(), 1))),
    MESSAGE_LOST(
            "enqueueForOrchestrator",
            (args, call) -> args[0] instanceof WorkItem.QueueMessage ? "lost" : call.with(args)),
    DELAY_FORGOTTEN("abandonOrchestrationItem", (args, call) -> call.with(args[0], null, args[2])),
    RENEWAL_FORGOTTEN("renewOrchestrationItemLock", (args, call) -> call.with(args[0], Duration.ofMillis(1))),
    CANCELLATION_FORGOTTEN(
            "ackOrchestrationItem", (args, call) -> call.with(((TurnAck) args[0]).withCancelledActivities(List.of()))),
    SESSIONS_FORGOTTEN(
            "fetchWorkItem",
            (args, call) -> call.with(args[0], args[1], new SessionFetchConfig("all", (Duration) args[0]), args[3])),
    TAGS_FORGOTTEN("fetchWorkItem", (args, call) -> call.with(args[0], args[1], args[2], TagFilter.any())),
    LAPSED_LOCK_TAKEN("ackWorkItem", (args, call) -> {
        try {
            return call.with(args);
        } catch (ProviderException e) {
            return "taken";
        }
    }),
    MISJUDGED("ackOrchestrationItem", (args, call) -> {
        try {
            return call.with(args);
        } catch (ProviderException e) {
            throw ProviderException.retryable(e.operation(), String.valueOf(e.getMessage()), e);
        }
    }),
    STATUS_MISSED("getCustomStatus", (args, call) -> call.with(args[0], (long) args[1] + 1));

    private final String method;

    @SuppressWarnings("ImmutableEnumChecker") // A function without state.
    private final Bug bug;

    FaultyModel(String method, Bug bug) {
        this.method = method;
        this.bug = bug;
    }

    /** What the method does instead. */
    private interface Bug {
        @Nullable
        Object call(Object[] args, Call call) throws ReflectiveOperationException;
    }

    /** What it should do. */
    private interface Call {
        @Nullable
        Object with(@Nullable Object... args) throws ReflectiveOperationException;
    }

    /** A model with this bug. */
    Tested tested() {
        var time = new VirtualTime();
        var store = new ReferenceStore(time);
        var buggy = (Provider) Proxy.newProxyInstance(
                FaultyModel.class.getClassLoader(),
                new Class<?>[] {Provider.class},
                (proxy, called, args) -> called.getName().equals(method)
                        ? bug.call(args, changed -> invoke(called, store, changed))
                        : invoke(called, store, args));
        return new Tested() {
            @Override
            public List<Provider> processes() {
                return List.of(buggy);
            }

            @Override
            public VirtualTime time() {
                return time;
            }

            @Override
            public int messages(String instance) {
                return store.messages(instance);
            }
        };
    }

    private static @Nullable Object invoke(Method method, ReferenceStore store, @Nullable Object @Nullable [] args)
            throws ReflectiveOperationException {
        try {
            return method.invoke(store, args);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof ProviderException failure) {
                throw failure;
            }
            throw e;
        }
    }
}
