package io.sluice.provider.contract.inputs;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.InstanceFilter;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.OrchestrationFilter;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.SemverRange;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A provider, or a part of one, whose calls are noted on their way: their times, filters and limits, and nothing that
 * differs from run to run. Calls go on as they came. Thread-safe.
 */
public final class NotedCalls implements InvocationHandler {
    private final Object target;
    private final GivenInputs inputs;

    private NotedCalls(Object target, GivenInputs inputs) {
        this.target = target;
        this.inputs = inputs;
    }

    /** Notes what {@code target} is given from now on. */
    public static <T> T of(Class<T> type, T target, GivenInputs inputs) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new NotedCalls(target, inputs)));
    }

    /** What is wrapped; itself where it isn't. */
    public static <T> T unwrapped(Class<T> type, T noted) {
        return Proxy.isProxyClass(noted.getClass()) && Proxy.getInvocationHandler(noted) instanceof NotedCalls calls
                ? type.cast(calls.target)
                : noted;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args) throws Throwable {
        if (args != null) {
            note(method.getName(), args);
        }
        try {
            Object result = method.invoke(target, args);
            return method.getName().equals("asManagementCapability") ? noted((Optional<?>) result) : result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Optional<ProviderAdmin> noted(@Nullable Optional<?> admin) {
        return Objects.requireNonNull(admin)
                .map(ProviderAdmin.class::cast)
                .map(some -> of(ProviderAdmin.class, some, inputs));
    }

    private void note(String method, @Nullable Object[] args) {
        switch (method) {
            case "fetchOrchestrationItem" -> {
                time("turn", "lock", args[0]);
                time("turn", "poll", args[1]);
                filter((DispatcherCapabilityFilter) args[2]);
            }
            case "fetch" -> time("named turn", "lock", args[1]);
            case "fetchWorkItem" -> {
                time("activity", "lock", args[0]);
                time("activity", "poll", args[1]);
                session((SessionFetchConfig) args[2]);
                inputs.note("activity", "tags", text((TagFilter) Objects.requireNonNull(args[3])));
            }
            case "renewOrchestrationItemLock" -> time("turn renewal", "by", args[1]);
            case "renewWorkItemLock" -> time("activity renewal", "by", args[1]);
            case "renewSessionLock" -> {
                time("session renewal", "by", args[1]);
                time("session renewal", "idle", args[2]);
            }
            case "cleanupOrphanedSessions" -> time("session clean-up", "idle", args[0]);
            case "abandonOrchestrationItem" -> abandon("turn abandon", args);
            case "abandonWorkItem" -> abandon("activity abandon", args);
            case "enqueueForOrchestrator" -> delay("message", (Duration) args[1]);
            case "startInstance" -> delay("start", ((InstanceStart) Objects.requireNonNull(args[0])).delay());
            case "getCustomStatus" -> inputs.note("custom status", "above", String.valueOf(args[1]));
            case "deleteInstance", "deleteInstancesAtomic" ->
                inputs.note("deletion", "force", Boolean.TRUE.equals(args[1]) ? "yes" : "no");
            case "deleteInstanceBulk" -> filter("bulk deletion", (InstanceFilter) args[0]);
            case "pruneExecutions" -> options("prune", (PruneOptions) args[1]);
            case "pruneExecutionsBulk" -> {
                filter("bulk prune", (InstanceFilter) args[0]);
                options("bulk prune", (PruneOptions) args[1]);
            }
            default -> {
                // What it is given says nothing of times, filters or limits.
            }
        }
    }

    private void time(String call, String input, @Nullable Object value) {
        inputs.note(call, input, (Duration) value);
    }

    private void delay(String call, @Nullable Duration delay) {
        if (delay != null) {
            inputs.note(call, "delay", delay);
        }
    }

    private void abandon(String call, @Nullable Object[] args) {
        time(call, "delay", args[1]);
        inputs.note(call, "attempt", Boolean.TRUE.equals(args[2]) ? "ignored" : "counted");
    }

    private void filter(@Nullable DispatcherCapabilityFilter filter) {
        inputs.note("turn", "versions", filter == null ? "every" : versions(filter));
        inputs.note(
                "turn",
                "orchestrations",
                filter != null && filter.orchestrations() instanceof OrchestrationFilter.Named ? "named" : "every");
    }

    private static String versions(DispatcherCapabilityFilter filter) {
        return filter.supportedDuroxideVersions().isEmpty()
                ? "no range"
                : filter.supportedDuroxideVersions().stream()
                        .map(NotedCalls::text)
                        .collect(Collectors.joining(" + "));
    }

    private static String text(SemverRange range) {
        return range.min() + "–" + range.max();
    }

    private void session(@Nullable SessionFetchConfig session) {
        inputs.note("activity", "session", session == null ? null : session.lockTimeout());
    }

    private static String text(TagFilter filter) {
        String tags = filter.tags().size() > TagFilter.MAX_TAGS
                ? filter.tags().size() + " of them"
                : filter.tags().stream().sorted().collect(Collectors.joining(" + "));
        if (filter.matches(null)) {
            return filter == TagFilter.any() ? "any" : filter.tags().isEmpty() ? "untagged" : "untagged + " + tags;
        }
        return filter.tags().isEmpty() ? "none" : tags;
    }

    private void filter(String call, @Nullable InstanceFilter filter) {
        InstanceFilter given = Objects.requireNonNull(filter);
        inputs.note(call, "ids", given.instanceIds() == null ? "all" : "named");
        inputs.note(call, "completed", given.completedBeforeMillis() == null ? "whenever" : "before");
        inputs.note(call, "limit", given.limit() == null ? "none" : String.valueOf(given.limit()));
    }

    private void options(String call, @Nullable PruneOptions options) {
        PruneOptions given = Objects.requireNonNull(options);
        inputs.note(call, "keep", given.keepLast() == null ? "none" : String.valueOf(given.keepLast()));
        inputs.note(call, "completed", given.completedBeforeMillis() == null ? "whenever" : "before");
    }
}
