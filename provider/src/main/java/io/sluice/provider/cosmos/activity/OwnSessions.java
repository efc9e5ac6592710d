package io.sluice.provider.cosmos.activity;

import io.sluice.provider.cosmos.activity.OthersSessions.Session;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The sessions of the owners that this process serves, so that the store need not be searched for them: those that it
 * claimed, and those that were found when an owner was first asked for, which may be left from before a restart. An
 * owner of whose sessions one was not remembered, for there are too many, is an unknown one again. Lapsed ones are
 * kept until they are cleaned up, as far as there is room. Thread-safe.
 */
final class OwnSessions {
    private static final int MOST_OWNERS = 1_000;
    private static final int MOST_SESSIONS = 10_000;

    private final Map<Session, Lock> sessions = new LinkedHashMap<>();
    private final Set<String> knownOwners = new LinkedHashSet<>();

    /** Who locked a session, and until when, as far as this process knows. */
    record Lock(String ownerId, long untilMillis) {}

    /** Which of the owners have to be asked for. */
    synchronized List<String> unknown(Collection<String> ownerIds) {
        return ownerIds.stream()
                .distinct()
                .filter(owner -> !knownOwners.contains(owner))
                .toList();
    }

    /** From now on all sessions of the owners are remembered. */
    synchronized void know(Collection<String> ownerIds) {
        knownOwners.addAll(ownerIds);
        var eldest = knownOwners.iterator();
        while (knownOwners.size() > MOST_OWNERS) {
            eldest.next();
            eldest.remove();
        }
    }

    /** An owner claimed or renewed a session, or was found to hold it. */
    synchronized void remember(Session session, String ownerId, long untilMillis, long nowMillis) {
        if (!sessions.containsKey(session) && sessions.size() >= MOST_SESSIONS) {
            sessions.values().removeIf(lock -> lock.untilMillis() <= nowMillis);
        }
        if (sessions.containsKey(session) || sessions.size() < MOST_SESSIONS) {
            sessions.put(session, new Lock(ownerId, untilMillis));
        } else {
            knownOwners.remove(ownerId);
        }
    }

    /** It is gone, or somebody else's. */
    synchronized void forget(Session session) {
        sessions.remove(session);
    }

    /** Sessions of these owners whose locks may be alive. */
    synchronized Map<Session, Lock> alive(Collection<String> ownerIds, long nowMillis) {
        Set<String> wanted = Set.copyOf(ownerIds);
        Map<Session, Lock> alive = new LinkedHashMap<>();
        sessions.forEach((session, lock) -> {
            if (lock.untilMillis() > nowMillis && wanted.contains(lock.ownerId())) {
                alive.put(session, lock);
            }
        });
        return alive;
    }

    /** Sessions whose locks lapsed. */
    synchronized List<Session> lapsed(long nowMillis) {
        List<Session> lapsed = new ArrayList<>();
        sessions.forEach((session, lock) -> {
            if (lock.untilMillis() < nowMillis) {
                lapsed.add(session);
            }
        });
        return lapsed;
    }
}
