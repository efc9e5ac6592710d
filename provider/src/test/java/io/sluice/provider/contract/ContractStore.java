package io.sluice.provider.contract;

import io.sluice.provider.Provider;
import java.time.Duration;

/** One empty store of a test, with the few things a test must do to it that the contract has no operation for. */
public interface ContractStore extends AutoCloseable {
    /** The provider under test; another one after {@link #corruptHistory}, as after a restart. */
    Provider provider();

    /** Makes every stored event of the instance undecodable, and forgets what the provider remembers of it. */
    void corruptHistory(String instance);

    /** Highest stored attempt count among the instance's messages; 0 when there are none. */
    int maxAttemptCount(String instance);

    /** Lets time pass for the store: by waiting, or by moving the clock it was given. */
    void pass(Duration time);

    @Override
    void close();
}
