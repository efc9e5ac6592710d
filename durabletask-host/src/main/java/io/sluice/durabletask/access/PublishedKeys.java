package io.sluice.durabletask.access;

import java.io.IOException;
import java.security.Key;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jose4j.http.Get;
import org.jose4j.jwk.HttpsJwks;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwx.JsonWebStructure;
import org.jose4j.keys.resolvers.JwksVerificationKeyResolver;
import org.jose4j.keys.resolvers.VerificationKeyResolver;
import org.jose4j.lang.JoseException;
import org.jose4j.lang.UnresolvableKeyException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Keys that an identity provider publishes at a URL. They are fetched on a thread of their own: a call waits for no
 * fetch but the first. A token whose key is not known is refused at once, and the keys are fetched again, at most once
 * in {@value #LEAST_INTERVAL_SECONDS} seconds, however the fetch before ended. Thread-safe.
 */
final class PublishedKeys implements VerificationKeyResolver {
    private static final Logger LOG = LoggerFactory.getLogger(PublishedKeys.class);
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final int LEAST_INTERVAL_SECONDS = 5;
    /** How often to see whether the keys are as old as the provider allows. */
    private static final Duration CHECK_INTERVAL = Duration.ofMinutes(1);
    /** How long keys stay good while their URL does not answer. */
    private static final Duration KEPT = Duration.ofDays(1);

    private static final VerificationKeyResolver NO_KEYS = new JwksVerificationKeyResolver(List.of());

    private final HttpsJwks published;
    private final ExecutorService thread;
    private final CountDownLatch firstFetch = new CountDownLatch(1);
    private final long firstFetchBegan = System.nanoTime();
    private volatile VerificationKeyResolver known = NO_KEYS;
    /** Read and written by the thread alone, as is the next one. */
    private long lastAnswer;

    private boolean isSilent;

    /** Guarded by this. */
    private boolean isFetching;

    private long lastFetch;

    private PublishedKeys(HttpsJwks published) {
        this.published = published;
        ThreadPoolExecutor one = new ThreadPoolExecutor(
                1, 1, CHECK_INTERVAL.toSeconds(), TimeUnit.SECONDS, new LinkedBlockingQueue<>(), PublishedKeys::daemon);
        one.allowCoreThreadTimeOut(true);
        this.thread = one;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "durabletask-keys");
        thread.setDaemon(true);
        return thread;
    }

    /** Begins to fetch. */
    static PublishedKeys at(String url) {
        Get get = new Get();
        get.setConnectTimeout(TIMEOUT_MILLIS);
        get.setReadTimeout(TIMEOUT_MILLIS);
        HttpsJwks published = new HttpsJwks(url);
        published.setSimpleHttpGet(get);
        PublishedKeys keys = new PublishedKeys(published);
        keys.fetchAfter(Duration.ZERO, false);
        return keys;
    }

    @Override
    public Key resolveKey(JsonWebSignature signature, List<JsonWebStructure> nesting) throws UnresolvableKeyException {
        awaitFirstFetch();
        fetchAfter(CHECK_INTERVAL, false);
        try {
            return known.resolveKey(signature, nesting);
        } catch (UnresolvableKeyException e) {
            fetchAfter(Duration.ofSeconds(LEAST_INTERVAL_SECONDS), true);
            throw e;
        }
    }

    /** Until it has ended nobody's key is known. */
    private void awaitFirstFetch() throws UnresolvableKeyException {
        long waited = System.nanoTime() - firstFetchBegan;
        try {
            // Nobody waits longer: whatever comes of the fetch, the answer is in what is known then.
            var unused = firstFetch.await(TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS) - waited, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnresolvableKeyException("interrupted while the keys were fetched", e);
        }
    }

    /**
     * Fetches the keys, if nobody does and the last fetch has ended so long ago.
     *
     * @param isForced also if they are younger than the provider allows
     */
    private synchronized void fetchAfter(Duration interval, boolean isForced) {
        boolean isFirst = firstFetch.getCount() > 0;
        if (!isFetching && (isFirst || System.nanoTime() - lastFetch >= interval.toNanos())) {
            isFetching = true;
            thread.execute(() -> {
                try {
                    fetch(isForced);
                } finally {
                    fetched();
                }
            });
        }
    }

    private synchronized void fetched() {
        isFetching = false;
        lastFetch = System.nanoTime();
        firstFetch.countDown();
    }

    private void fetch(boolean isForced) {
        try {
            if (isForced) {
                published.refresh();
            }
            List<JsonWebKey> keys = published.getJsonWebKeys();
            known = new JwksVerificationKeyResolver(keys);
            lastAnswer = System.nanoTime();
            isSilent = false;
        } catch (IOException | JoseException | RuntimeException e) {
            if (System.nanoTime() - lastAnswer >= KEPT.toNanos()) {
                known = NO_KEYS;
            }
            LOG.atLevel(isSilent ? Level.DEBUG : Level.WARN)
                    .addKeyValue("url", published.getLocation())
                    .setCause(e)
                    .log(
                            "the keys of the identity provider can't be fetched, those that are known stay good for a day");
            isSilent = true;
        }
    }
}
