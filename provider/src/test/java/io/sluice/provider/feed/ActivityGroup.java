package io.sluice.provider.feed;

import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkFeed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A share group: each announcement goes to a member that has room for it, and to another one when it is returned, or
 * when its member is gone. Activities of sessions go to all members of a group that asks for sessions, since only the
 * session's owner can take them.
 */
final class ActivityGroup implements Group {
    private static final String SESSIONS = "sessions:";

    private final boolean hasSessions;
    private final List<Member> members = new ArrayList<>();
    private final TreeMap<Long, Announcement> available = new TreeMap<>();
    private final Map<Acquired, Member> acquired = new HashMap<>();
    private final List<Runnable> broadcast = new ArrayList<>();
    private long sequence;
    private int next;

    ActivityGroup(String filter) {
        this.hasSessions = filter.startsWith(SESSIONS);
    }

    @Override
    public synchronized void join(Member member) {
        members.add(member);
    }

    @Override
    public synchronized void leave(Member member) {
        members.remove(member);
        List<Acquired> left = acquired.entrySet().stream()
                .filter(entry -> entry.getValue() == member)
                .map(Map.Entry::getKey)
                .toList();
        left.forEach(Acquired::returned);
    }

    @Override
    public synchronized List<Member> members() {
        return List.copyOf(members);
    }

    @Override
    public boolean isOwner(Member member, String instanceId) {
        return false;
    }

    @Override
    public synchronized void add(Announcement announcement) {
        boolean isOfSession = announcement.documents().stream().anyMatch(document -> document.sessionId() != null);
        if (hasSessions && isOfSession) {
            members.forEach(member -> broadcast.add(member.delivery(announcement, Broadcast.RECEIPT)));
        } else {
            available.put(sequence++, announcement);
        }
    }

    @Override
    public synchronized List<Runnable> takeDeliveries() {
        List<Runnable> deliveries = new ArrayList<>(broadcast);
        broadcast.clear();
        while (!available.isEmpty()) {
            Member member = nextWithRoom();
            if (member == null) {
                break;
            }
            Map.Entry<Long, Announcement> oldest = available.pollFirstEntry();
            Acquired receipt = new Acquired(oldest.getKey(), oldest.getValue());
            acquired.put(receipt, member);
            deliveries.add(member.delivery(oldest.getValue(), receipt));
        }
        return deliveries;
    }

    private @Nullable Member nextWithRoom() {
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(Math.floorMod(next++, members.size()));
            if (member.tryTake()) {
                return member;
            }
        }
        return null;
    }

    @Override
    public synchronized int waiting() {
        return available.size() + acquired.size();
    }

    private final class Acquired implements WorkFeed.Receipt {
        private final long place;
        private final Announcement announcement;

        Acquired(long place, Announcement announcement) {
            this.place = place;
            this.announcement = announcement;
        }

        @Override
        public void handled() {
            synchronized (ActivityGroup.this) {
                acquired.remove(this);
            }
        }

        @Override
        public void returned() {
            synchronized (ActivityGroup.this) {
                if (acquired.remove(this) != null) {
                    available.put(place, announcement);
                }
            }
        }

        @Override
        public boolean isCurrent() {
            synchronized (ActivityGroup.this) {
                return acquired.containsKey(this);
            }
        }
    }

    private enum Broadcast implements WorkFeed.Receipt {
        RECEIPT;

        @Override
        public void handled() {
            // Every process has it.
        }

        @Override
        public void returned() {
            // Every process has it.
        }

        @Override
        public boolean isCurrent() {
            return true;
        }
    }
}
