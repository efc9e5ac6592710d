package io.sluice.relay.dispatch;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.announcement.AnnouncedDocument;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The documents of both queues among documents that were read, in their order. Others are left out, and malformed ones.
 *
 * @param messages of each instance
 * @param activities of all instances
 */
record FoundWork(Map<String, List<AnnouncedDocument>> messages, List<Activity> activities) {
    /** Characters of an id, as in the store. */
    private static final int MOST_ID = 1_023;

    /**
     * An activity of an instance.
     *
     * @param sessionToken of the page that it was read from; null where there is none
     */
    record Activity(
            String instanceId,
            AnnouncedDocument document,
            @Nullable String sessionToken) {
        String id() {
            return document.id();
        }

        long dueAt() {
            return document.dueAt();
        }
    }

    /** In a page without a session token. */
    static FoundWork in(List<JsonNode> documents) {
        return in(documents, null);
    }

    /** @param sessionToken of the page; null where there is none */
    static FoundWork in(List<JsonNode> documents, @Nullable String sessionToken) {
        Map<String, List<AnnouncedDocument>> messages = new LinkedHashMap<>();
        List<Activity> activities = new ArrayList<>();
        for (JsonNode json : documents) {
            String type = json.path("type").asText();
            boolean isActivity = type.equals("worker_queue");
            String instance = json.path("instanceId").asText();
            if ((isActivity || type.equals("orch_queue")) && isId(instance)) {
                AnnouncedDocument.ifWellFormed(json).ifPresent(document -> {
                    if (isActivity) {
                        activities.add(new Activity(instance, document, sessionToken));
                    } else {
                        messages.computeIfAbsent(instance, id -> new ArrayList<>())
                                .add(document);
                    }
                });
            }
        }
        return new FoundWork(messages, activities);
    }

    /** Half a surrogate pair is nothing that an announcement can say. */
    private static boolean isId(String instance) {
        return !instance.isEmpty()
                && instance.length() <= MOST_ID
                && StandardCharsets.UTF_8.newEncoder().canEncode(instance);
    }

    /**
     * The messages of each instance that the feed announces: those that may be taken now, and those that become visible
     * before a time. What is locked is announced by a lookahead.
     */
    Map<String, List<AnnouncedDocument>> messagesBefore(long until, long now) {
        Map<String, List<AnnouncedDocument>> announced = new LinkedHashMap<>();
        messages.forEach((instance, documents) -> {
            var wanted = documents.stream()
                    .filter(document -> isUnlocked(document, now))
                    .filter(document -> document.visibleAt() <= now || document.visibleAt() < until)
                    .toList();
            if (!wanted.isEmpty()) {
                announced.put(instance, wanted);
            }
        });
        return announced;
    }

    /** The instances with messages that may be taken now. */
    Set<String> instancesDue(long now) {
        Set<String> due = new LinkedHashSet<>();
        messages.forEach((instance, documents) -> {
            if (documents.stream().anyMatch(document -> document.dueAt() <= now)) {
                due.add(instance);
            }
        });
        return due;
    }

    /** The messages of each instance that may be taken later. */
    Map<String, List<AnnouncedDocument>> messagesAfter(long now) {
        Map<String, List<AnnouncedDocument>> later = new LinkedHashMap<>();
        messages.forEach((instance, documents) -> {
            var wanted = documents.stream()
                    .filter(document -> document.dueAt() > now)
                    .toList();
            if (!wanted.isEmpty()) {
                later.put(instance, wanted);
            }
        });
        return later;
    }

    /** The activities that may be taken now. */
    List<Activity> activitiesDue(long now) {
        return activities.stream().filter(activity -> activity.dueAt() <= now).toList();
    }

    /** The activities that nobody holds and that become visible later, before a time. */
    List<Activity> activitiesVisibleBefore(long until, long now) {
        return activities.stream()
                .filter(activity -> isUnlocked(activity.document(), now))
                .filter(activity -> activity.dueAt() > now && activity.dueAt() < until)
                .toList();
    }

    /** The activities that may be taken later. */
    List<Activity> activitiesAfter(long now) {
        return activities.stream().filter(activity -> activity.dueAt() > now).toList();
    }

    /** The ids of all activities. */
    Set<String> activityIds() {
        Set<String> ids = new HashSet<>();
        activities.forEach(activity -> ids.add(activity.id()));
        return ids;
    }

    private static boolean isUnlocked(AnnouncedDocument document, long now) {
        Long lockedUntil = document.lockedUntil();
        return lockedUntil == null || lockedUntil <= now;
    }
}
