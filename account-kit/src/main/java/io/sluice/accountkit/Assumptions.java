package io.sluice.accountkit;

import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.check.feed.EmptyFeedRead;
import io.sluice.accountkit.check.feed.FeedFromTime;
import io.sluice.accountkit.check.feed.FeedNumbers;
import io.sluice.accountkit.check.feed.FilteredFeedRead;
import io.sluice.accountkit.check.feed.FullFeedRead;
import io.sluice.accountkit.check.feed.TransactionInFeed;
import io.sluice.accountkit.check.query.ArrayContainsCharge;
import io.sluice.accountkit.check.query.QueryCharge;
import io.sluice.accountkit.check.split.Merge;
import io.sluice.accountkit.check.split.Split;
import io.sluice.accountkit.check.store.Latency;
import io.sluice.accountkit.check.store.OwnCost;
import io.sluice.accountkit.check.write.BatchBytes;
import io.sluice.accountkit.check.write.BatchIfMatch;
import io.sluice.accountkit.check.write.BatchOperations;
import io.sluice.accountkit.check.write.ContendedDocument;
import io.sluice.accountkit.check.write.LargeDocument;
import io.sluice.accountkit.check.write.LongId;
import io.sluice.accountkit.check.write.OddId;
import io.sluice.accountkit.check.write.PointCharge;
import io.sluice.accountkit.check.write.TimeToLive;
import java.util.ArrayList;
import java.util.List;

/** All assumptions, in the order of the table. */
final class Assumptions {
    private Assumptions() {}

    /** A split comes last: what others need may go with it. */
    static List<Assumption> all(Plan plan) {
        List<Assumption> all = new ArrayList<>();
        all.addAll(ofFeed());
        all.addAll(ofWrites());
        all.addAll(ofIds());
        all.addAll(ofQueries());
        all.addAll(List.of(Latency.ofRead(), Latency.ofBatch(), Latency.ofQuery()));
        all.addAll(List.of(OwnCost.ofHello(), OwnCost.ofFanOut(), OwnCost.ofDrain()));
        all.addAll(List.of(new Split(plan.splitPatience()), new Merge(plan.mergePatience())));
        return all;
    }

    private static List<Assumption> ofFeed() {
        return List.of(
                new EmptyFeedRead(),
                new FullFeedRead(),
                FilteredFeedRead.ofHalf(),
                FilteredFeedRead.ofKey(),
                new FeedFromTime(),
                new TransactionInFeed(),
                new FeedNumbers());
    }

    private static List<Assumption> ofWrites() {
        return List.of(
                PointCharge.ofRead(),
                PointCharge.ofCreation(),
                PointCharge.ofReplacement(),
                PointCharge.ofDeletion(),
                PointCharge.ofBatch(),
                new BatchOperations(),
                new BatchBytes(),
                new BatchIfMatch(),
                new LargeDocument(),
                new ContendedDocument(),
                new TimeToLive());
    }

    private static List<Assumption> ofIds() {
        return List.of(
                OddId.ofChild(),
                OddId.composed(),
                OddId.with('/'),
                OddId.with('#'),
                OddId.with('?'),
                new LongId(255, true),
                new LongId(1_023, true),
                new LongId(1_024, false));
    }

    private static List<Assumption> ofQueries() {
        return List.of(QueryCharge.ofNothing(), QueryCharge.ofOrder(), QueryCharge.ofList(), new ArrayContainsCharge());
    }
}
