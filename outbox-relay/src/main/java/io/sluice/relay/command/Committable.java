package io.sluice.relay.command;

import io.sluice.relay.command.CommandBatch.Entry;
import io.sluice.relay.command.CommandBatch.Held;
import io.sluice.relay.deadletter.DeadLetter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What can be committed of a partition: a prefix of a batch of which each command is settled or to be parked, and
 * parked commands that are settled.
 *
 * @param nextOffset the offset after the prefix
 * @param latestEnqueuedAt of what was queued, 0 when nothing was
 * @param queued number of commands that were queued
 * @param letters of the commands that were refused
 * @param replies to settled commands that ask for one
 * @param toPark commands of the prefix that are parked with it
 * @param finished commands that were parked before, and are no longer
 */
record Committable(
        long nextOffset,
        long latestEnqueuedAt,
        long queued,
        List<DeadLetter> letters,
        List<Reply> replies,
        List<Entry> toPark,
        List<Entry> finished) {

    /** A prefix of a batch. */
    static Committable of(long nextOffset, List<Entry> prefix) {
        var toPark =
                prefix.stream().filter(entry -> entry.held() == Held.PARKED).toList();
        var settled = prefix.stream().filter(entry -> entry.held() == Held.NOT).toList();
        return of(nextOffset, settled, toPark, List.of());
    }

    /** Parked commands that are settled, where the offset does not move. */
    static Committable ofFinished(long offset, List<Entry> finished) {
        return of(offset, finished, List.of(), finished);
    }

    private static Committable of(long nextOffset, List<Entry> settled, List<Entry> toPark, List<Entry> finished) {
        long latest = 0;
        long queued = 0;
        List<DeadLetter> letters = new ArrayList<>();
        List<Reply> replies = new ArrayList<>();
        for (var entry : settled) {
            var outcome = entry.outcome();
            if (outcome == null) {
                throw new IllegalArgumentException(
                        "not settled: " + entry.command().commandId());
            }
            latest = Math.max(latest, outcome.enqueuedAt());
            var letter = outcome.letter();
            if (letter == null) {
                queued++;
            } else {
                letters.add(letter);
            }
            var topic = entry.command().replyTopic();
            if (topic != null && entry.replyFault() == null) {
                replies.add(new Reply(entry, topic, letter == null ? null : letter.reason()));
            }
        }
        return new Committable(nextOffset, latest, queued, letters, replies, toPark, finished);
    }

    /** Both, of the same partition. */
    Committable and(Committable other) {
        return new Committable(
                Math.max(nextOffset, other.nextOffset),
                Math.max(latestEnqueuedAt, other.latestEnqueuedAt),
                queued + other.queued,
                both(letters, other.letters),
                both(replies, other.replies),
                both(toPark, other.toPark),
                both(finished, other.finished));
    }

    /**
     * The offset up to which nothing of the prefix needs a reply any more, once the replies are sent: a command that is
     * parked has none yet.
     */
    long repliedOffset() {
        return toPark.isEmpty() ? nextOffset : toPark.get(0).message().offset();
    }

    private static <T> List<T> both(List<T> first, List<T> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
