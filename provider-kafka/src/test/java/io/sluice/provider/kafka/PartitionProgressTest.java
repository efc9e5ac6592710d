package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.announcement.WorkFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PartitionProgressTest {
    private final PartitionProgress progress = new PartitionProgress(10, 10);

    @Test
    void nothing_is_committed_that_the_group_knows() {
        assertThat(progress.beginCommit()).isEmpty();
        progress.read(10);
        assertThat(progress.beginCommit()).as("not handled").isEmpty();
    }

    @Test
    void the_first_unhandled_record_holds_the_commit_back() {
        WorkFeed.Receipt first = progress.read(10);
        WorkFeed.Receipt second = progress.read(11);
        second.handled();
        assertThat(progress.beginCommit()).isEmpty();

        first.handled();
        assertThat(progress.beginCommit()).isEqualTo(OptionalLong.of(12));
        assertThat(progress.beginCommit()).isEmpty();
        progress.commitFailed();
        assertThat(progress.beginCommit()).isEqualTo(OptionalLong.of(12));
    }

    @Test
    void a_returned_turn_stays_unhandled() {
        progress.read(10).returned();
        assertThat(progress.unhandled()).isEqualTo(1);
        assertThat(progress.beginCommit()).isEmpty();
    }

    @Test
    void a_jump_in_offsets_is_a_gap() {
        assertThat(progress.isGap(10)).isFalse();
        assertThat(progress.isGap(11)).isTrue();
        progress.passOver(10);
        assertThat(progress.isGap(11)).isFalse();
        assertThat(progress.isGap(10)).isTrue();
    }

    @Test
    void receipts_of_a_retired_partition_are_not_current() {
        WorkFeed.Receipt receipt = progress.read(10);
        assertThat(receipt.isCurrent()).isTrue();
        progress.retire();
        assertThat(receipt.isCurrent()).isFalse();
    }

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void no_commit_passes_an_unhandled_record(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<WorkFeed.Receipt> receipts = new ArrayList<>();
        TreeSet<Long> open = new TreeSet<>();
        List<Long> offsets = new ArrayList<>();
        long next = 10;
        for (int step = 0; step < 200; step++) {
            if (receipts.isEmpty() || random.nextInt(3) == 0) {
                receipts.add(progress.read(next));
                offsets.add(next);
                open.add(next++);
            } else {
                int any = random.nextInt(receipts.size());
                receipts.remove(any).handled();
                open.remove(offsets.remove(any));
            }
            OptionalLong commit = progress.beginCommit();
            if (commit.isPresent()) {
                assertThat(commit.getAsLong()).isEqualTo(open.isEmpty() ? next : open.first());
            }
        }
    }
}
