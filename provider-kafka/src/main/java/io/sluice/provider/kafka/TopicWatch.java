package io.sluice.provider.kafka;

import io.sluice.provider.kafka.thread.FeedLoop;
import io.sluice.provider.kafka.thread.StopSignal;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks every few seconds which topics exist, so that their readers wait for missing ones without asking, and notice
 * that a topic was deleted and created again: its offsets start again, which a reader can't see from offsets alone.
 * What was known holds while Kafka does not answer.
 */
final class TopicWatch implements FeedLoop {
    private static final Logger LOG = LoggerFactory.getLogger(TopicWatch.class);

    private final FeedConfig config;
    private final Supplier<Admin> admins;
    private final Set<String> wanted;
    private final Map<String, TopicState> present = new ConcurrentHashMap<>();
    private final Map<String, KnownFailures> readerFailures = new ConcurrentHashMap<>();
    private final StopSignal stop = new StopSignal();
    private final FailureLog failures;
    private volatile boolean shareGroups;
    private Set<String> loggedMissing = Set.of();

    TopicWatch(FeedConfig config) {
        this(config, () -> Admin.create(FeedClients.adminProperties(config, "topics")));
    }

    /** @param admins opens one that asks, again after each failure */
    TopicWatch(FeedConfig config, Supplier<Admin> admins) {
        this.config = config;
        this.admins = admins;
        this.wanted = config.topics().all();
        this.failures = new FailureLog("topics", config.timings(), new KnownFailures());
    }

    /** Empty while it does not exist, or is not known to. */
    Optional<TopicState> find(String topic) {
        return Optional.ofNullable(present.get(topic));
    }

    /** Whether it still exists, with the same partitions. */
    boolean isCurrent(TopicState state) {
        return state.equals(present.get(state.name()));
    }

    /** The failures of all that read this topic. */
    KnownFailures failuresOf(String topic) {
        return readerFailures.computeIfAbsent(topic, name -> new KnownFailures());
    }

    /**
     * Whether the brokers have share groups. A share consumer finds out as well, but writes lines at ERROR each time.
     */
    boolean hasShareGroups() {
        return shareGroups;
    }

    /** Why topics are not known; null while they are. */
    @Nullable
    String problem() {
        return failures.problem();
    }

    @Override
    public String name() {
        return "sluice-work-topics";
    }

    @Override
    public void run() {
        while (!stop.isStopped()) {
            try {
                watch();
            } catch (RuntimeException | Error e) {
                // Without its thread nobody would notice a topic that is made, or made again.
                stop.await(failures.failed(e));
            }
        }
    }

    private void watch() {
        Admin admin = admins.get();
        try {
            while (!stop.isStopped()) {
                look(admin);
                failures.succeeded();
                boolean complete = present.keySet().containsAll(wanted);
                stop.await(
                        complete
                                ? config.timings().topicCheck()
                                : config.timings().missingTopicCheck());
            }
        } finally {
            FeedClients.close(admin);
        }
    }

    private void look(Admin admin) {
        try {
            ClusterState found = ClusterState.at(admin, wanted);
            shareGroups = found.shareGroups();
            present.keySet().retainAll(found.topics().keySet());
            present.putAll(found.topics());
            log(found.missing(wanted));
        } catch (InterruptedException e) {
            stop.stop(); // the thread is the feed's own, and only closing interrupts it
        }
    }

    private void log(Set<String> missing) {
        if (!missing.isEmpty() && !missing.equals(loggedMissing)) {
            LOG.atWarn()
                    .addKeyValue("topics", missing)
                    .log("topics of announcements are missing: enable dispatch at the relay and run its provision");
        } else if (missing.isEmpty() && !loggedMissing.isEmpty()) {
            LOG.atInfo().addKeyValue("topics", loggedMissing).log("topics of announcements exist now");
        }
        loggedMissing = missing;
    }

    @Override
    public void stop() {
        stop.stop();
    }
}
