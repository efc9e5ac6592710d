package io.sluice.relay.history;

import io.sluice.relay.control.Pipeline;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.feed.ChangeListener;
import io.sluice.relay.feed.PageMemory;
import io.sluice.relay.feed.PageReader;
import io.sluice.relay.feed.RangeLag;
import io.sluice.relay.topic.Topics;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Makes publishers of one range, which nobody listens to and which answer no purge markers.
 *
 * @param tuning of each publisher
 */
record TestPublishers(RangeId range, Topics topics, PositionLog positions, RangePublisher.Tuning tuning) {
    /** Rests of milliseconds, pages of two documents. */
    static final RangePublisher.Tuning FAST =
            new RangePublisher.Tuning(Duration.ofMillis(5), Duration.ofMillis(20), Duration.ofMillis(10), 2);

    /** A publisher whose range nobody else owns. */
    RangePublisher publisher(PageReader reader, RangeTakeover.Producers producers) {
        return publisher(reader, producers, range -> RangeOwnership.Owner.US);
    }

    RangePublisher publisher(PageReader reader, RangeTakeover.Producers producers, RangeOwnership ownership) {
        return publisher(reader, producers, ownership, none());
    }

    RangePublisher publisher(
            PageReader reader, RangeTakeover.Producers producers, RangeOwnership ownership, ChangeListener changes) {
        return publisher(reader, new RangeTakeover(producers, positions, ownership), none(), changes);
    }

    private static PipelineControl none() {
        return PipelineControl.none(Pipeline.EVENTS);
    }

    RangePublisher publisher(
            PageReader reader, RangeTakeover.Producers producers, RangeOwnership ownership, PipelineControl control) {
        return publisher(reader, new RangeTakeover(producers, positions, ownership), control, ChangeListener.NONE);
    }

    private RangePublisher publisher(
            PageReader reader, RangeTakeover takeover, PipelineControl control, ChangeListener changes) {
        var feedPages = PageMemory.published(RelayMemory.ofHeap()).range(2);
        var lag = new RangeLag(InstantSource.system(), tuning.longestInterval());
        return new RangePublisher(
                new RangeFeed(range, reader, feedPages, changes, lag),
                takeover,
                new PagePublisher(
                        new HistoryRecords(topics, URI.create("cosmos://test/db/c")),
                        PublishListener.UNSEEN,
                        marker -> {},
                        RangeAnnouncers.NONE),
                control,
                tuning);
    }
}
