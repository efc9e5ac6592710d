package io.sluice.relay.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.contract.TopicContract;
import io.sluice.relay.contract.TopicStorage.Cleanup;
import io.sluice.relay.contract.TopicStorage.Partitions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TopicChecksTest {
    private static final int PARTITIONS = 8;
    private static final int LEAVE_TO_THE_BROKER = -1;

    private final TopicChecks checks = checks(LEAVE_TO_THE_BROKER);

    private static TopicChecks checks(int minInSync) {
        return checks(LEAVE_TO_THE_BROKER, minInSync, 1);
    }

    private static TopicChecks checks(int replicas, int minInSync, int brokers) {
        return new TopicChecks(
                "kafka:9092", new TopicRules(false, PARTITIONS, replicas, minInSync), brokers, PARTITIONS, PARTITIONS);
    }

    private static TopicChecks.Found found(TopicContract contract, int replicas, Map<String, String> changed) {
        Map<String, String> settings = new HashMap<>(contract.storage().settings());
        settings.put("min.insync.replicas", "1");
        settings.putAll(changed);
        int partitions = contract.storage().partitions() == Partitions.ONE ? 1 : PARTITIONS;
        return new TopicChecks.Found(contract.name("orders"), partitions, replicas, settings);
    }

    private static TopicChecks.Found found(TopicContract contract, Map<String, String> changed) {
        return found(contract, 1, changed);
    }

    private static TopicFinding only(List<TopicFinding> findings) {
        assertThat(findings).hasSize(1);
        return findings.get(0);
    }

    @Test
    void topics_made_by_their_contracts_are_as_they_should_be() {
        assertThat(TopicCatalogue.OWN)
                .allSatisfy(contract -> assertThat(checks.of(contract, found(contract, Map.of())))
                        .isEmpty());
    }

    @Test
    void another_cleanup_policy_is_a_fault_where_records_would_be_lost() {
        for (var contract : TopicCatalogue.OWN) {
            var other = contract.storage().cleanup() == Cleanup.COMPACT ? "delete" : "compact";

            var finding = only(checks.of(contract, found(contract, Map.of("cleanup.policy", other))));

            assertThat(finding.isFault()).as(finding.text()).isEqualTo(!contract.equals(TopicCatalogue.STATISTICS));
        }
    }

    @Test
    void fewer_partitions_for_parked_commands_than_for_commands_are_a_fault_and_more_are_none() {
        var contract = TopicCatalogue.PARKED_COMMANDS;
        var settings = contract.storage().settings();

        var finding =
                only(checks.of(contract, new TopicChecks.Found(contract.name("orders"), PARTITIONS - 1, 1, settings)));

        assertThat(finding.isFault()).isTrue();
        assertThat(finding.text()).contains("orders.commands.parked", "--alter --partitions " + PARTITIONS);
        assertThat(checks.of(contract, new TopicChecks.Found(contract.name("orders"), PARTITIONS + 1, 1, settings)))
                .isEmpty();
    }

    @Test
    void facts_whose_retention_counts_from_their_events_are_a_warning() {
        var changed = Map.of("message.timestamp.type", "CreateTime");

        var finding = only(checks.of(TopicCatalogue.LIFECYCLE, found(TopicCatalogue.LIFECYCLE, changed)));

        assertThat(finding.isFault()).isFalse();
        assertThat(finding.text())
                .contains("orders.lifecycle")
                .contains("--add-config message.timestamp.type=LogAppendTime");
        assertThat(checks.of(TopicCatalogue.HISTORY, found(TopicCatalogue.HISTORY, changed)))
                .isEmpty();
    }

    @Test
    void a_topic_that_is_shared_record_by_record_should_have_one_partition() {
        var several = new TopicChecks.Found(
                "orders.work.activities",
                3,
                1,
                found(TopicCatalogue.WORK_ACTIVITIES, Map.of()).settings());

        var finding = only(checks.of(TopicCatalogue.WORK_ACTIVITIES, several));

        assertThat(finding.isFault()).isFalse();
        assertThat(finding.text()).contains("should have one partition, it has 3");
    }

    @Test
    void a_remedy_can_be_pasted() {
        var finding = only(checks.of(
                TopicCatalogue.POSITIONS, found(TopicCatalogue.POSITIONS, Map.of("cleanup.policy", "delete"))));

        assertThat(finding.text())
                .endsWith("kafka-configs --bootstrap-server kafka:9092 --topic orders.positions"
                        + " --alter --add-config cleanup.policy=[compact]");
    }

    @Test
    void the_order_of_two_policies_means_nothing() {
        assertThat(checks.of(
                        TopicCatalogue.STATISTICS,
                        found(TopicCatalogue.STATISTICS, Map.of("cleanup.policy", "delete, compact"))))
                .isEmpty();
    }

    @Test
    void small_records_are_a_fault_only_where_documents_go() {
        var small = Map.of("max.message.bytes", "1048588");

        assertThat(only(checks.of(TopicCatalogue.HISTORY, found(TopicCatalogue.HISTORY, small))))
                .satisfies(finding -> {
                    assertThat(finding.isFault()).isTrue();
                    assertThat(finding.text()).contains("--add-config max.message.bytes=4194304");
                });
        assertThat(checks.of(TopicCatalogue.COMMANDS, found(TopicCatalogue.COMMANDS, small)))
                .isEmpty();
    }

    @Test
    void what_is_made_of_the_history_has_as_many_partitions() {
        for (int partitions : new int[] {PARTITIONS - 1, PARTITIONS + 1}) {
            var status = found(TopicCatalogue.STATUS, Map.of());
            var finding = only(checks.of(
                    TopicCatalogue.STATUS, new TopicChecks.Found(status.name(), partitions, 1, status.settings())));

            assertThat(finding.isFault()).isTrue();
            assertThat(finding.text())
                    .contains("as many partitions as the history, 8, it has " + partitions)
                    .contains(partitions < PARTITIONS ? "--alter --partitions 8" : "--delete");
        }
    }

    @Test
    void several_replicas_of_which_one_is_enough_are_a_warning_until_somebody_says_what_is_meant() {
        var risky = found(TopicCatalogue.HISTORY, 3, Map.of());

        assertThat(only(checks.of(TopicCatalogue.HISTORY, risky))).satisfies(finding -> {
            assertThat(finding.isFault()).isFalse();
            assertThat(finding.text()).contains("--add-config min.insync.replicas=2");
        });
        assertThat(checks(1).of(TopicCatalogue.HISTORY, risky))
                .as("it is meant")
                .isEmpty();
        assertThat(only(checks(2).of(TopicCatalogue.HISTORY, risky)))
                .as("more was asked for")
                .satisfies(finding -> {
                    assertThat(finding.isFault()).isTrue();
                    assertThat(finding.text()).contains("must have min.insync.replicas=2");
                });
        assertThat(checks.of(
                        TopicCatalogue.HISTORY, found(TopicCatalogue.HISTORY, 3, Map.of("min.insync.replicas", "2"))))
                .isEmpty();
    }

    @Test
    void more_replicas_in_sync_than_there_are_is_a_fault() {
        var finding = only(
                checks.of(TopicCatalogue.HISTORY, found(TopicCatalogue.HISTORY, Map.of("min.insync.replicas", "2"))));

        assertThat(finding.isFault()).isTrue();
        assertThat(finding.text()).contains("it can't be written to").contains("min.insync.replicas=1");
    }

    @Test
    void asking_for_more_in_sync_than_a_topic_has_replicas_says_that_it_needs_more() {
        var finding = only(checks(3).of(TopicCatalogue.HISTORY, found(TopicCatalogue.HISTORY, 2, Map.of())));

        assertThat(finding.text()).contains("it has 2 replicas; add replicas with kafka-reassign-partitions");
    }

    @Test
    void a_single_replica_is_a_warning_where_there_is_more_than_one_broker_until_somebody_says_that_it_is_meant() {
        var single = found(TopicCatalogue.HISTORY, Map.of());
        int brokers = 3;

        assertThat(only(checks(LEAVE_TO_THE_BROKER, LEAVE_TO_THE_BROKER, brokers)
                        .of(TopicCatalogue.HISTORY, single)))
                .satisfies(finding -> {
                    assertThat(finding.isFault()).isFalse();
                    assertThat(finding.text())
                            .contains("orders.history", "one replica", "3 brokers", "SLUICE_TOPIC_REPLICATION=1");
                });
        assertThat(checks(1, LEAVE_TO_THE_BROKER, brokers).of(TopicCatalogue.HISTORY, single))
                .as("it is meant")
                .isEmpty();
        assertThat(checks.of(TopicCatalogue.HISTORY, single))
                .as("a single broker has no room for more")
                .isEmpty();
    }
}
