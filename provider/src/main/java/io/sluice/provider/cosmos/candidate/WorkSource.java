package io.sluice.provider.cosmos.candidate;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where the announcements of a queue come from, and what becomes of them.
 *
 * @param feed null when nothing is announced
 * @param filter the same text for the same candidates, in every process
 * @param wanted whether the dispatchers can run what was announced so: every filter is told of all documents
 * @param partitions how many physical partitions the container has, as far as known
 */
public record WorkSource<C extends Candidate>(
        @Nullable WorkFeed feed,
        WorkQueue queue,
        String filter,
        Predicate<AnnouncedDocument> wanted,
        CandidateMaker<C> maker,
        IntSupplier partitions) {}
