package io.sluice.relay.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OpenTransactionTest {
    private static final TopicPartition POSITIONS = new TopicPartition("orders.positions", 3);
    private static final String OURS = "orders-history-3";

    @Test
    void one_that_its_coordinator_is_yet_to_end_is_waited_for() {
        var words = words(7, TransactionState.PREPARE_COMMIT, Set.of(POSITIONS));

        assertThat(words)
                .isEqualTo("producer 7 holds it open in orders.positions-3 since offset 120, orders-history-3,"
                        + " whose coordinator has it as PrepareCommit and is yet to end it there");
    }

    @Test
    void one_that_its_coordinator_has_down_as_ended_hangs() {
        assertThat(words(7, TransactionState.COMPLETE_COMMIT, Set.of())).endsWith("it hangs, see the runbook");
    }

    @Test
    void one_of_an_earlier_epoch_hangs_while_the_next_is_under_way_elsewhere() {
        var elsewhere = Set.of(new TopicPartition("orders.history", 0));

        assertThat(words(7, TransactionState.ONGOING, elsewhere)).endsWith("it hangs, see the runbook");
    }

    @Test
    void one_of_somebody_else_is_called_so() {
        assertThat(words(8, TransactionState.EMPTY, Set.of())).endsWith("which is not that of orders-history-3");
    }

    private static String words(long ourProducer, TransactionState state, Set<TopicPartition> partitions) {
        var open = new ProducerState(7, 2, 0, 1_000, OptionalInt.of(1), OptionalLong.of(120));
        var ours = new TransactionDescription(1, state, ourProducer, 3, 20_000, OptionalLong.empty(), partitions);
        return OpenTransaction.words(POSITIONS, List.of(open), OURS, ours);
    }
}
