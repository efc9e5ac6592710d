package io.sluice.durabletask.dispatch;

import io.sluice.provider.Provider;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a provider does with locks of one kind of work. */
interface LockOperations {
    /** Prolongs a lock. */
    void renew(String lockToken, Duration extendFor);

    /** Gives an item back, for now or after a delay. */
    void abandon(String lockToken, @Nullable Duration delay, boolean ignoreAttempt);

    /** Of turns. */
    static LockOperations ofTurns(Provider provider) {
        return new LockOperations() {
            @Override
            public void renew(String lockToken, Duration extendFor) {
                provider.renewOrchestrationItemLock(lockToken, extendFor);
            }

            @Override
            public void abandon(String lockToken, @Nullable Duration delay, boolean ignoreAttempt) {
                provider.abandonOrchestrationItem(lockToken, delay, ignoreAttempt);
            }
        };
    }

    /** Of activities. */
    static LockOperations ofActivities(Provider provider) {
        return new LockOperations() {
            @Override
            public void renew(String lockToken, Duration extendFor) {
                provider.renewWorkItemLock(lockToken, extendFor);
            }

            @Override
            public void abandon(String lockToken, @Nullable Duration delay, boolean ignoreAttempt) {
                provider.abandonWorkItem(lockToken, delay, ignoreAttempt);
            }
        };
    }
}
