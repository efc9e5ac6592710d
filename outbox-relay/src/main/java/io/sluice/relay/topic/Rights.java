package io.sluice.relay.topic;

import io.sluice.program.PrerequisiteException;
import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.log.LogKeys;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the rights of this user in Kafka at the start: a missing right would show late, in a thread that retries for
 * ever. The check has no effect on others: it removes a member that does not exist from a group, validates a topic
 * without creating it, and initializes a transactional id of its own.
 *
 * <p>A cluster that does not report rights, or has no authorizer, passes.
 */
public final class Rights {
    private static final Logger LOG = LoggerFactory.getLogger(Rights.class);
    private static final long TIMEOUT_SECONDS = 15;
    private static final String PROBE = "-check";

    private final Admin admin;
    private final Topics topics;
    private final Set<Use> uses;
    /** Resources by their missing operations. */
    private final Map<String, Set<String>> missing = new TreeMap<>();

    /** For which work rights are needed. */
    public enum Use {
        /** Events, commands and dead letters. */
        RELAY,
        /** The announcements of work. */
        DISPATCH,
        /** The streams' topics. */
        STREAMS
    }

    private Rights(Admin admin, Topics topics, Set<Use> uses) {
        this.admin = admin;
        this.topics = topics;
        this.uses = Set.copyOf(uses);
    }

    /**
     * Checks the rights on the existing topics, groups and ids.
     *
     * @throws PrerequisiteException naming every resource with the missing operations
     */
    public static void require(Admin admin, Topics topics, Set<Use> uses) {
        var rights = new Rights(admin, topics, uses);
        rights.ask();
        if (!rights.missing.isEmpty()) {
            throw new PrerequisiteException(
                    "Kafka does not allow this user all that is needed: allow "
                            + rights.missing.entrySet().stream()
                                    .map(lack -> lack.getKey() + " on " + String.join(", ", lack.getValue()))
                                    .collect(Collectors.joining("; ")),
                    null);
        }
    }

    private void ask() {
        topics();
        if (uses.contains(Use.RELAY)) {
            group(topics.historyGroup());
            group(topics.commandsGroup());
        }
        if (uses.contains(Use.STREAMS)) {
            group(topics.streamsApplication());
            creationOfStreamsTopics();
        }
        transactions();
    }

    private void topics() {
        var needed = needed();
        var described = admin.describeTopics(
                        needed.keySet(), new DescribeTopicsOptions().includeAuthorizedOperations(true))
                .topicNameValues();
        described.forEach((topic, description) -> {
            var operations = needed.getOrDefault(topic, Set.of());
            try {
                var allowed = answer(description).authorizedOperations();
                if (allowed != null && !allowed.containsAll(operations)) {
                    missing("topic " + topic, lacking(operations, allowed));
                }
            } catch (AuthorizationException e) {
                missing("topic " + topic, operations);
            } catch (UnansweredException e) {
                e.log(topic); // there is no such topic yet, or its broker is away: the checks of topics report it
            }
        });
    }

    private Map<String, Set<AclOperation>> needed() {
        Map<String, Set<AclOperation>> needed = new LinkedHashMap<>();
        if (uses.contains(Use.RELAY)) {
            TopicCatalogue.CORE.forEach(contract -> needed.put(contract.name(topics.prefix()), described()));
            add(needed, topics.history(), AclOperation.WRITE);
            add(needed, topics.positions(), AclOperation.READ);
            add(needed, topics.positions(), AclOperation.WRITE);
            add(needed, topics.relays(), AclOperation.READ);
            add(needed, topics.relays(), AclOperation.WRITE);
            add(needed, topics.commands(), AclOperation.READ);
            add(needed, topics.parkedCommands(), AclOperation.READ);
            add(needed, topics.parkedCommands(), AclOperation.WRITE);
            add(needed, topics.deadLetters(), AclOperation.READ);
            add(needed, topics.deadLetters(), AclOperation.WRITE);
        }
        if (uses.contains(Use.DISPATCH)) {
            for (var contract : TopicCatalogue.DISPATCH) {
                needed.put(contract.name(topics.prefix()), described());
                if (!contract.equals(TopicCatalogue.WORK_HELP)) {
                    add(needed, contract.name(topics.prefix()), AclOperation.WRITE);
                }
            }
        }
        if (uses.contains(Use.STREAMS)) {
            add(needed, topics.history(), AclOperation.READ);
            for (var contract : TopicCatalogue.STREAMS) {
                needed.put(contract.name(topics.prefix()), described());
                add(needed, contract.name(topics.prefix()), AclOperation.WRITE);
            }
            for (var topic : topics.keptByStreams()) {
                add(needed, topic, AclOperation.READ);
                add(needed, topic, AclOperation.WRITE);
                add(needed, topic, AclOperation.DELETE);
            }
        }
        return needed;
    }

    private static Set<AclOperation> described() {
        return EnumSet.of(AclOperation.DESCRIBE, AclOperation.DESCRIBE_CONFIGS);
    }

    private static void add(Map<String, Set<AclOperation>> needed, String topic, AclOperation operation) {
        needed.computeIfAbsent(topic, name -> EnumSet.noneOf(AclOperation.class))
                .add(operation);
    }

    private static Set<AclOperation> lacking(Set<AclOperation> needed, Set<AclOperation> allowed) {
        return needed.stream().filter(operation -> !allowed.contains(operation)).collect(Collectors.toSet());
    }

    /** Removing a member from a group needs the same right as joining. */
    private void group(String group) {
        var missingMember = new RemoveMembersFromConsumerGroupOptions(List.of(new MemberToRemove(group + PROBE)));
        try {
            answer(admin.removeMembersFromConsumerGroup(group, missingMember).all());
        } catch (AuthorizationException e) {
            missing("group " + group, EnumSet.of(AclOperation.READ));
        } catch (UnansweredException e) {
            e.log(group); // no such member, or no such group yet
        }
    }

    private void creationOfStreamsTopics() {
        var unmade = new NewTopic(topics.streamsApplication() + PROBE, 1, (short) -1);
        try {
            answer(admin.createTopics(List.of(unmade), new CreateTopicsOptions().validateOnly(true))
                    .all());
        } catch (AuthorizationException e) {
            missing("topics that begin with " + topics.streamsApplication() + "-", EnumSet.of(AclOperation.CREATE));
        } catch (UnansweredException e) {
            e.log(unmade.name()); // a policy of the cluster may refuse a topic like that
        }
    }

    private void transactions() {
        var id = probe(topics);
        try {
            answer(admin.fenceProducers(List.of(id)).all());
        } catch (AuthorizationException e) {
            missing("transactional ids that begin with " + topics.prefix() + "-", EnumSet.of(AclOperation.WRITE));
        } catch (UnansweredException e) {
            throw new PrerequisiteException(
                    "Kafka gives no transactions for ids that begin with " + topics.prefix() + "- (" + e.getMessage()
                            + ")",
                    e);
        }
    }

    /** A transactional id that no producer has. */
    static String probe(Topics topics) {
        return topics.prefix() + PROBE;
    }

    private void missing(String resource, Set<AclOperation> operations) {
        var names = new TreeSet<String>();
        operations.forEach(operation -> names.add(name(operation)));
        missing.computeIfAbsent(String.join(" and ", names), operation -> new TreeSet<>())
                .add(resource);
    }

    /** As ACLs are written: {@code DescribeConfigs}. */
    private static String name(AclOperation operation) {
        return List.of(operation.name().split("_", -1)).stream()
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }

    private static <T> T answer(KafkaFuture<T> asked) throws UnansweredException {
        try {
            return asked.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof AuthorizationException refused) {
                    throw refused;
                }
            }
            throw new UnansweredException(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw new UnansweredException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PrerequisiteException("interrupted while asking for rights", e);
        }
    }

    /** Kafka's answer did not say whether the operation is allowed. */
    private static final class UnansweredException extends Exception {
        private static final long serialVersionUID = 1L;

        UnansweredException(Throwable cause) {
            super(cause.toString(), cause);
        }

        void log(String resource) {
            LOG.atDebug()
                    .addKeyValue("resource", resource)
                    .addKeyValue(LogKeys.REASON, getMessage())
                    .log("Kafka did not say which rights this user has");
        }
    }
}
