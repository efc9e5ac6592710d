package io.sluice.relay.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.outbox.PurgeMarker;
import io.sluice.relay.topic.Topics;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PagePublisherTest {
    private static final RangeId ONLY = TestRanges.range(0, 1, "rid");

    private final List<PurgeMarker> answered = new ArrayList<>();
    private final PagePublisher publisher = PagePublisher.of(
            new Topics("orders"), URI.create("cosmos://test/db/c"), PublishListener.UNSEEN, answered::add);

    @Test
    void a_purge_marker_is_answered_only_when_the_events_before_it_are_committed() throws Exception {
        var feed = new ListFeed();
        feed.write(1);
        feed.mark();
        var read = feed.read(null);
        var after = Position.beginning(ONLY, "topic").at("2");
        var page = new PagePublisher.Page(read, List.of(after), () -> {});
        try (var producer = new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            producer.commitTransactionException = new TimeoutException("Kafka is away");

            assertThatThrownBy(() -> publisher.publish(producer, ONLY, page, () -> {}))
                    .isInstanceOf(TimeoutException.class);
            assertThat(answered)
                    .as("the answer lets the history be deleted, which Kafka does not have")
                    .isEmpty();

            producer.abortTransaction();
            producer.commitTransactionException = null;
            publisher.publish(producer, ONLY, page, () -> {});

            assertThat(answered).hasSize(1);
        }
    }
}
