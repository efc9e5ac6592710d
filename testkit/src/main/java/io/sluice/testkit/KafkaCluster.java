package io.sluice.testkit;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a JUnit test a Kafka cluster and a topic prefix of its own.
 *
 * <pre>{@code
 * @RegisterExtension static final KafkaCluster kafka = KafkaCluster.firstAvailable();
 *
 * @Test
 * void an_event_arrives() {
 *     String topic = kafka.prefix() + ".history";
 *     …
 * }
 * }</pre>
 *
 * <p>The cluster is the one {@code KAFKA_BOOTSTRAP_SERVERS} names; else, with {@code SLUICE_TEST_BACKEND=docker}, one
 * in Docker; else an {@link EmbeddedKafka}. The latter two start at first use and serve all tests of the JVM. Tests of
 * one class must not run concurrently.
 */
public final class KafkaCluster implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaCluster.class);
    private static final Namespace SHARED = Namespace.create(KafkaCluster.class);

    private final Map<String, String> environment;
    private final TestNames names = new TestNames();
    private volatile @Nullable KafkaBackend backend;

    private KafkaCluster(Map<String, String> environment) {
        this.environment = environment;
    }

    /**
     * The cluster this process's environment asks for. Nothing is started or checked before the first test class runs.
     */
    public static KafkaCluster firstAvailable() {
        return firstAvailable(System.getenv());
    }

    static KafkaCluster firstAvailable(Map<String, String> environment) {
        return new KafkaCluster(Map.copyOf(environment));
    }

    /** The cluster's address, for {@code bootstrap.servers}. */
    public String bootstrapServers() {
        return backend().bootstrapServers();
    }

    /**
     * What the topics of the running test begin with: another value in each test, the same throughout one. Every topic
     * that begins with it is deleted after the test, also when it failed. In {@code @BeforeAll} it is a prefix of the
     * class, whose topics live until its last test has ended.
     */
    public String prefix() {
        return names.current();
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
    }

    @Override
    public void afterEach(ExtensionContext context) {
        deleteWhatWasMade(context);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        deleteWhatWasMade(context);
    }

    private void deleteWhatWasMade(ExtensionContext context) {
        names.leave(context).ifPresent(prefix -> backend().deleteTopics(prefix));
    }

    private void open(ExtensionContext context) {
        backend = context.getRoot()
                .getStore(SHARED)
                .getOrComputeIfAbsent(KafkaSource.firstAvailable(environment), KafkaCluster::open, KafkaBackend.class);
    }

    private static KafkaBackend open(KafkaSource source) {
        KafkaBackend opened = source.open();
        LOG.atInfo()
                .addKeyValue("source", source)
                .addKeyValue("bootstrapServers", opened.bootstrapServers())
                .log("tests have a Kafka cluster");
        return opened;
    }

    private KafkaBackend backend() {
        KafkaBackend opened = backend;
        if (opened == null) {
            throw new IllegalStateException(
                    "the cluster is there only in tests: @RegisterExtension static final KafkaCluster kafka = …");
        }
        return opened;
    }
}
