package io.sluice.testkit;

import com.azure.cosmos.CosmosClientBuilder;
import io.sluice.emulator.CosmosEmulator;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.opentest4j.TestAbortedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a JUnit test a Cosmos account and a container name of its own.
 *
 * <pre>{@code
 * @RegisterExtension static final CosmosAccount cosmos = CosmosAccount.firstAvailable();
 *
 * @Test
 * void a_turn_is_acked() {
 *     CosmosClient client = cosmos.clientBuilder().buildClient();
 *     client.getDatabase(cosmos.database()).createContainer(cosmos.container(), "/instanceId");
 *     …
 * }
 * }</pre>
 *
 * <p>The account is the one {@code COSMOS_ENDPOINT} and {@code COSMOS_KEY} name ({@code COSMOSDB_ENDPOINT} and
 * {@code COSMOSDB_KEY} are accepted too; {@code …_DATABASE} names the database, else it is {@code sluice-test}); else,
 * with {@code SLUICE_TEST_BACKEND=docker}, Microsoft's emulator in Docker, which starts at first use and serves all
 * tests of the JVM; else the emulator of this project, in this JVM, one for each test class, so that the faults, the
 * clock and the request log of one class are not another's. Classes may run concurrently, tests of one class must not.
 */
public final class CosmosAccount implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
    private static final Logger LOG = LoggerFactory.getLogger(CosmosAccount.class);
    private static final Namespace SHARED = Namespace.create(CosmosAccount.class);

    private final Map<String, String> environment;
    private final TestNames names = new TestNames();
    private volatile @Nullable CosmosBackend backend;

    private CosmosAccount(Map<String, String> environment) {
        this.environment = environment;
    }

    /**
     * The account this process's environment asks for. Nothing is started or checked before the first test class runs.
     */
    public static CosmosAccount firstAvailable() {
        return firstAvailable(System.getenv());
    }

    static CosmosAccount firstAvailable(Map<String, String> environment) {
        return new CosmosAccount(Map.copyOf(environment));
    }

    /** The account's address; plain HTTP for both emulators. */
    public String endpoint() {
        return backend().account().endpoint();
    }

    /** The account's key. */
    public String key() {
        return backend().account().key();
    }

    /** The name of a database that exists. Tests share it and must leave it in place. */
    public String database() {
        return backend().account().database();
    }

    /**
     * The container name of the running test: another one in each test, the same throughout one. Nothing has that name
     * yet. Every container whose name begins with it is dropped after the test, also when it failed. In
     * {@code @BeforeAll} it is a name of the class, whose containers live until its last test has ended.
     */
    public String container() {
        return names.current();
    }

    /** The emulator in this JVM, for its faults and request log; empty on a real account and in Docker. */
    public Optional<CosmosEmulator> emulator() {
        return Optional.ofNullable(backend().emulator());
    }

    /** Whether the account is the emulator in this JVM. */
    public boolean isEmbedded() {
        return backend().emulator() != null;
    }

    /**
     * The emulator in this JVM; on any other account the running test is skipped with a message that says why. Its
     * request log is empty when a test begins, and faults a test leaves behind are gone when it ends.
     */
    public CosmosEmulator requireEmulator() {
        return emulator()
                .orElseThrow(() -> new TestAbortedException(
                        "needs the faults or the request log of the embedded emulator, and this run is on "
                                + endpoint()));
    }

    /**
     * A client of this account: gateway mode, written documents in the answers, plain HTTP where the endpoint has it.
     */
    public CosmosClientBuilder clientBuilder() {
        return backend().clientBuilder();
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        open(context);
        names.enterClass(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        open(context);
        names.enterTest(context);
        emulator().ifPresent(emulator -> emulator.requests().clear());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        dropWhatWasMade(context);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        dropWhatWasMade(context);
    }

    /** Faults first: they must not hit the clean-up. */
    private void dropWhatWasMade(ExtensionContext context) {
        CosmosBackend opened = backend;
        if (opened == null) {
            return; // it did not open, which is the failure to report
        }
        emulator().ifPresent(emulator -> emulator.faults().clear());
        names.leave(context).ifPresent(opened::dropContainers);
    }

    private void open(ExtensionContext context) {
        CosmosSource source = CosmosSource.firstAvailable(environment);
        ExtensionContext lifetime = source.servesOneClass() ? testClass(context) : context.getRoot();
        backend = lifetime.getStore(SHARED).getOrComputeIfAbsent(source, CosmosAccount::open, CosmosBackend.class);
    }

    /** The class that no other one encloses: nested ones share its emulator. */
    private static ExtensionContext testClass(ExtensionContext context) {
        return context.getParent()
                .filter(parent -> parent != context.getRoot())
                .map(CosmosAccount::testClass)
                .orElse(context);
    }

    private static CosmosBackend open(CosmosSource source) {
        long startedNanos = System.nanoTime();
        CosmosBackend opened = source.open();
        LOG.atInfo()
                .addKeyValue("source", source)
                .addKeyValue("endpoint", opened.account().endpoint())
                .addKeyValue("tookMillis", (System.nanoTime() - startedNanos) / 1_000_000)
                .log("tests run against this Cosmos DB endpoint");
        return opened;
    }

    private CosmosBackend backend() {
        CosmosBackend opened = backend;
        if (opened == null) {
            throw new IllegalStateException(
                    "the account is there only in tests: @RegisterExtension static final CosmosAccount cosmos = …");
        }
        return opened;
    }
}
