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

/** A provider whose work feed has announced everything that is there before each fetch. Thread-safe. */
public final class CatchingUpProvider implements InvocationHandler {
    private static final Duration DELIVERY = Duration.ofMillis(300);

    private final Provider provider;
    private final ChangeFeedAnnouncer announcer;
    private final boolean isByHand;

    private CatchingUpProvider(Provider provider, ChangeFeedAnnouncer announcer, boolean isByHand) {
        this.provider = provider;
        this.announcer = announcer;
        this.isByHand = isByHand;
    }

    /** Wraps a provider that was built with a feed of this announcer. */
    public static Provider of(Provider provider, ChangeFeedAnnouncer announcer) {
        return wrap(new CatchingUpProvider(provider, announcer, false));
    }

    /** The same with an announcer that delivers {@link ChangeFeedAnnouncer#byHand}: no fetch waits. */
    public static Provider byHand(Provider provider, ChangeFeedAnnouncer announcer) {
        return wrap(new CatchingUpProvider(provider, announcer, true));
    }

    private static Provider wrap(CatchingUpProvider wrapped) {
        return (Provider)
                Proxy.newProxyInstance(Provider.class.getClassLoader(), new Class<?>[] {Provider.class}, wrapped);
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
        try {
            if (args != null && method.getName().equals("fetchWorkItem")) {
                return fetchActivity(
                        (Duration) args[0], (Duration) args[1], (SessionFetchConfig) args[2], (TagFilter) args[3]);
            }
            return method.invoke(provider, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Object fetchActivity(Duration lock, Duration poll, @Nullable SessionFetchConfig session, TagFilter tags) {
        if (isByHand) {
            return announcer.untilDelivered(() -> provider.fetchWorkItem(lock, poll, session, tags));
        }
        // Activities come to a worker that waits.
        boolean isWaiting = announcer.hasActivities() && poll.compareTo(DELIVERY) < 0;
        return provider.fetchWorkItem(lock, isWaiting ? DELIVERY : poll, session, tags);
    }
}
