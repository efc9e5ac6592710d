package io.sluice.provider.cosmos.candidate;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the announcements of a queue come from, and what becomes of them.
 *
 * @param feed null when nothing is announced
 * @param filter the same text for the same candidates, in every process
 * @param partitions how many physical partitions the container has, as far as known
 */
public record WorkSource<C extends Candidate>(
        @Nullable WorkFeed feed, WorkQueue queue, String filter, CandidateMaker<C> maker, IntSupplier partitions) {}
