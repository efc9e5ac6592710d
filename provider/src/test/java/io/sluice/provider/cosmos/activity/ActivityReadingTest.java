package io.sluice.provider.cosmos.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.cosmos.work.WorkOutcome;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The read of an activity may show a version before or after the one that was announced. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ActivityReadingTest {
    private static final long LOCK_MILLIS = 1_000;

    static LongStream seeds() {
        return LongStream.range(0, 300);
    }

    /** Every pair of versions of one life, whatever came between. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void no_version_that_came_later_than_what_is_read_is_taken_for_gone(long seed) {
        List<Stored<QueueDocument>> versions = life(new Random(seed));

        for (int announced = 0; announced < versions.size(); announced++) {
            for (int read = 0; read < versions.size(); read++) {
                boolean isGone = outcome(versions.get(announced), versions.get(read)) instanceof WorkOutcome.Gone;
                assertThat(isGone && read < announced)
                        .as("announced %s, read %s of %s", announced, read, described(versions))
                        .isFalse();
            }
        }
    }

    @Test
    void a_lock_that_was_taken_after_one_that_lapsed_is_known_by_its_attempts() {
        Stored<QueueDocument> lapsed = version(1, LOCK_MILLIS, 1);
        Stored<QueueDocument> held = version(2, 3 * LOCK_MILLIS, 2);

        assertThat(outcome(lapsed, held)).isInstanceOf(WorkOutcome.Gone.class);
    }

    @Test
    void a_lock_that_may_have_been_given_back_since_proves_nothing() {
        assertThat(outcome(version(0, null, 0), version(1, 3 * LOCK_MILLIS, 1)))
                .isInstanceOf(WorkOutcome.NotSeen.class);
    }

    @Test
    void two_locks_more_than_were_announced_do() {
        assertThat(outcome(version(0, null, 0), version(3, 3 * LOCK_MILLIS, 2))).isInstanceOf(WorkOutcome.Gone.class);
    }

    /** Read while the locks that reach beyond this time live. */
    private static @Nullable WorkOutcome outcome(Stored<QueueDocument> announced, Stored<QueueDocument> read) {
        return ActivityReading.of(announced, read, "", 2 * LOCK_MILLIS).match(free -> null, outcome -> outcome);
    }

    /** It is locked, renewed, given back, and its locks lapse; each lock but one that lapsed is alive. */
    private static List<Stored<QueueDocument>> life(Random random) {
        List<Stored<QueueDocument>> versions = new ArrayList<>();
        versions.add(version(0, null, 0));
        for (int i = 1; i < 8; i++) {
            QueueDocument last = versions.get(i - 1).document();
            Long lockedUntil = last.lockedUntil();
            int attempts = last.attemptCount();
            boolean isLapsed = lockedUntil != null && lockedUntil == LOCK_MILLIS;
            Long next = random.nextInt(4) == 0 ? LOCK_MILLIS : 3 * LOCK_MILLIS;
            if (lockedUntil == null || (isLapsed && random.nextBoolean())) {
                versions.add(version(i, next, attempts + 1));
            } else if (random.nextInt(3) == 0) {
                versions.add(version(i, next, attempts));
            } else {
                versions.add(version(i, null, random.nextBoolean() ? attempts : attempts - 1));
            }
        }
        return versions;
    }

    private static List<String> described(List<Stored<QueueDocument>> versions) {
        return versions.stream()
                .map(Stored::document)
                .map(document -> document.attemptCount() + " until " + document.lockedUntil())
                .toList();
    }

    private static Stored<QueueDocument> version(int number, @Nullable Long lockedUntil, int attempts) {
        QueueDocument document = new QueueDocument(
                "a1",
                "order",
                DocumentType.WORKER_QUEUE,
                "",
                0,
                0,
                0,
                null,
                lockedUntil,
                attempts,
                1L,
                1L,
                null,
                null,
                null);
        return new Stored<>(document, "etag " + number);
    }
}
