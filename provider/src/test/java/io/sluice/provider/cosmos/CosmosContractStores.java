package io.sluice.provider.cosmos;

import io.sluice.provider.contract.ContractStore;
import io.sluice.provider.contract.ContractStores;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Containers for the contract's tests, one for each. The account hands out names to one test at a time, and these tests
 * run side by side; so the whole class takes one name, and a container's is that with a number behind.
 */
public final class CosmosContractStores implements ContractStores, BeforeAllCallback, AfterAllCallback {
    /** JUnit's tag for suites where work is announced; the conformance page has a column of its own for them. */
    public static final String ANNOUNCED_TAG = "announced";

    private static final Duration POLL_THRESHOLD = Duration.ofMillis(500);

    private final CosmosAccount account = CosmosAccount.firstAvailable();
    private final AtomicInteger opened = new AtomicInteger();
    private final Dispatch dispatch;
    private volatile @Nullable String prefix;

    /** How providers learn of work. */
    public enum Dispatch {
        /** They query the store. */
        POLLED,
        /** The same, by one index of work for all dispatchers. */
        POLLED_BY_INDEX,
        /** Everything is announced to each before it fetches, so that a fetch finds what polling finds. */
        ANNOUNCED_BEFORE_EACH_FETCH,
        /** It is announced to one of them in the background. */
        ANNOUNCED_IN_THE_BACKGROUND
    }

    /** Containers on the account that tests of this process use, with providers that query the store. */
    public CosmosContractStores() {
        this(Dispatch.POLLED);
    }

    /** Containers on the account that tests of this process use. */
    public CosmosContractStores(Dispatch dispatch) {
        this.dispatch = dispatch;
    }

    @Override
    public ContractStore open() {
        String container = prefix + "-" + opened.incrementAndGet();
        return new CosmosContractStore(
                new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), container),
                account.emulator(),
                dispatch);
    }

    @Override
    public Duration pollThreshold() {
        return POLL_THRESHOLD;
    }

    @Override
    public boolean pollsLong() {
        return true;
    }

    /** Called for the class and for each class nested in it. */
    @Override
    public void beforeAll(ExtensionContext context) {
        if (isOutermost(context)) {
            account.beforeAll(context);
            prefix = account.container();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (isOutermost(context)) {
            account.afterAll(context);
        }
    }

    private static boolean isOutermost(ExtensionContext context) {
        return context.getRequiredTestClass().getEnclosingClass() == null;
    }
}
