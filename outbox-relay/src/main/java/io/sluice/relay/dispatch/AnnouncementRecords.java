package io.sluice.relay.dispatch;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.Pulse;
import io.sluice.relay.dispatch.FoundWork.Activity;
import io.sluice.relay.topic.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Makes Kafka records of announcements and pulses. Thread-safe. */
record AnnouncementRecords(Topics topics) {
    /** Far below what a broker takes. */
    private static final int MOST_BYTES = 256 * 1024;

    private static final int MOST_DOCUMENTS = 500;
    /** Longer ones are of several ranges at once, and compared with nothing. */
    private static final int MOST_TOKEN = 200;

    /**
     * How far what was read is whole.
     *
     * @param horizon {@link Announcement#horizon}
     * @param sessionToken of the page; null where there is none
     */
    record Extent(long horizon, @Nullable String sessionToken) {
        /** Of what may be anything. */
        static final Extent UNKNOWN = new Extent(0, null);
    }

    /** What is announced of it. */
    private static @Nullable String token(@Nullable String sessionToken) {
        return sessionToken == null || sessionToken.isEmpty() || sessionToken.length() > MOST_TOKEN
                ? null
                : sessionToken;
    }

    /** One record for each instance, or several where one would be too large. */
    List<ProducerRecord<byte[], byte[]>> turns(Map<String, List<AnnouncedDocument>> messages, Extent extent) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        messages.forEach((instance, documents) -> addTurn(records, instance, documents, extent));
        return records;
    }

    private void addTurn(
            List<ProducerRecord<byte[], byte[]>> records,
            String instance,
            List<AnnouncedDocument> documents,
            Extent extent) {
        int half = documents.size() / 2;
        if (documents.size() <= MOST_DOCUMENTS) {
            byte[] json = Announcement.of(instance, extent.horizon(), documents)
                    .at(token(extent.sessionToken()))
                    .toJson();
            if (json.length <= MOST_BYTES || half == 0) {
                records.add(new ProducerRecord<>(topics.workTurns(), instance.getBytes(UTF_8), json));
                return;
            }
        }
        addTurn(records, instance, documents.subList(0, half), extent);
        addTurn(records, instance, documents.subList(half, documents.size()), extent);
    }

    /** Asks runtimes to check these instances. */
    List<ProducerRecord<byte[], byte[]>> checks(Collection<String> instances) {
        return instances.stream()
                .map(instance -> new ProducerRecord<>(
                        topics.workTurns(),
                        instance.getBytes(UTF_8),
                        Announcement.check(instance).toJson()))
                .toList();
    }

    /** One record for each activity, with the session token of its page. */
    List<ProducerRecord<byte[], byte[]>> activities(List<Activity> activities, long horizon) {
        return activities.stream()
                .map(activity -> new ProducerRecord<>(
                        topics.workActivities(),
                        activity.id().getBytes(UTF_8),
                        Announcement.of(activity.instanceId(), horizon, List.of(activity.document()))
                                .at(token(activity.sessionToken()))
                                .toJson()))
                .toList();
    }

    ProducerRecord<byte[], byte[]> pulse(Pulse pulse) {
        return new ProducerRecord<>(
                topics.workPulse(), (pulse.min() + "-" + pulse.max()).getBytes(UTF_8), pulse.toJson());
    }
}
