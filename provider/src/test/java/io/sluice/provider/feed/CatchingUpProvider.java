package io.sluice.provider.feed;

import io.sluice.provider.Provider;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A provider whose work feed has announced everything that is there before each fetch. Every call goes on with the
 * arguments it came with. Thread-safe.
 */
public final class CatchingUpProvider implements InvocationHandler {
    private final Provider provider;
    private final ChangeFeedAnnouncer announcer;

    private CatchingUpProvider(Provider provider, ChangeFeedAnnouncer announcer) {
        this.provider = provider;
        this.announcer = announcer;
    }

    /** Wraps a provider that was built with a feed of this announcer. */
    public static Provider of(Provider provider, ChangeFeedAnnouncer announcer) {
        return (Provider) Proxy.newProxyInstance(
                Provider.class.getClassLoader(),
                new Class<?>[] {Provider.class},
                new CatchingUpProvider(provider, announcer));
    }

    /** The provider itself, where it is wrapped. */
    public static Provider unwrapped(Provider provider) {
        return Proxy.isProxyClass(provider.getClass())
                        && Proxy.getInvocationHandler(provider) instanceof CatchingUpProvider catching
                ? catching.provider
                : provider;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args) throws Throwable {
        if (method.getName().startsWith("fetch")) {
            announcer.catchUp();
        }
        if (args != null && method.getName().equals("fetchWorkItem")) {
            // Activities come to a worker that asked for one.
            return announcer.untilDelivered(() -> provider.fetchWorkItem(
                    (Duration) args[0], (Duration) args[1], (SessionFetchConfig) args[2], (TagFilter) args[3]));
        }
        try {
            return method.invoke(provider, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
