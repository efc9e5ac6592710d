package io.sluice.provider.contract;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.InstanceFilter;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.ProviderException;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Calls of every method of an interface with arguments that no caller should pass: each odd value of each argument
 * once, with the others drawn from a seed. None is null.
 */
public final class OddCalls {
    private static final Map<Type, List<?>> VALUES = Map.ofEntries(
            Map.entry(String.class, OddValues.TEXTS),
            Map.entry(long.class, OddValues.NUMBERS),
            Map.entry(int.class, List.of(-1, 0, 1, Integer.MIN_VALUE, Integer.MAX_VALUE)),
            Map.entry(boolean.class, List.of(true, false)),
            Map.entry(Duration.class, OddValues.TIMES),
            Map.entry(WorkItem.class, OddValues.items()),
            Map.entry(SessionFetchConfig.class, OddValues.sessions()),
            Map.entry(TagFilter.class, OddValues.tagFilters()),
            Map.entry(DispatcherCapabilityFilter.class, OddValues.capabilities()),
            Map.entry(InstanceFilter.class, OddValues.instanceFilters()),
            Map.entry(PruneOptions.class, OddValues.pruneOptions()));

    private final Object target;
    private final Supplier<String> turnToken;
    private final SplittableRandom random;

    /**
     * Calls on this object.
     *
     * @param turnToken locks a turn for each ack
     */
    public OddCalls(Object target, Supplier<String> turnToken, long seed) {
        this.target = target;
        this.turnToken = turnToken;
        this.random = new SplittableRandom(seed);
    }

    /** The methods of an interface that take arguments, in one order. */
    public static Stream<Method> methodsOf(Class<?> contract) {
        return Arrays.stream(contract.getMethods())
                .filter(method -> method.getParameterCount() > 0 && !Modifier.isStatic(method.getModifiers()))
                .sorted(Comparator.comparing(Method::toGenericString));
    }

    /** What came of the method's calls besides answers and {@link ProviderException}s, with the arguments. */
    public List<String> strayExceptions(Method method) {
        List<String> stray = new ArrayList<>();
        for (int i = 0; i < method.getParameterCount(); i++) {
            for (Object odd : valuesOf(method, i)) {
                Object[] arguments = drawnBut(method, i);
                arguments[i] = odd;
                call(method, arguments).ifPresent(stray::add);
            }
        }
        return stray;
    }

    private Object[] drawnBut(Method method, int given) {
        Object[] arguments = new Object[method.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            if (i != given) {
                List<?> values = valuesOf(method, i);
                arguments[i] = values.get(random.nextInt(values.size()));
            }
        }
        return arguments;
    }

    private List<?> valuesOf(Method method, int index) {
        Type type = method.getGenericParameterTypes()[index];
        if (type.equals(TurnAck.class)) {
            return OddValues.acks(turnToken);
        }
        if (method.getName().startsWith("fetch") && index == 1) {
            // Other times to wait are as endless as they say.
            return List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofSeconds(Long.MIN_VALUE));
        }
        if (type.getTypeName().equals("java.util.List<java.lang.String>")) {
            return OddValues.listsOfTexts();
        }
        if (type.getTypeName().equals("java.util.List<" + HistoryEvent.class.getName() + ">")) {
            return OddValues.histories();
        }
        if (type.getTypeName().equals("java.util.function.Predicate<" + InstanceSummary.class.getName() + ">")) {
            return OddValues.CONDITIONS;
        }
        List<?> values = VALUES.get(type);
        if (values == null) {
            throw new AssertionError("no odd values of " + type);
        }
        return values;
    }

    private Optional<String> call(Method method, Object[] arguments) {
        try {
            method.invoke(target, arguments);
            return Optional.empty();
        } catch (InvocationTargetException e) {
            Throwable thrown = Objects.requireNonNullElse(e.getCause(), e);
            return thrown instanceof ProviderException
                    ? Optional.empty()
                    : Optional.of(thrown + " from " + method.getName() + shortened(arguments) + " at "
                            + thrown.getStackTrace()[0]);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static String shortened(Object[] arguments) {
        String text = Arrays.toString(arguments);
        return text.length() <= 400 ? text : text.substring(0, 400) + "…";
    }
}
