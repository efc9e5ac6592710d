package io.sluice.provider.feed;

import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkFeed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A consumer group: an instance's announcements are in one partition, which one member has at a time, and are committed
 * up to the first that was not handled.
 */
final class TurnGroup implements Group {
    private static final int PARTITIONS = 8;

    private final List<Member> members = new ArrayList<>();
    private final List<Partition> partitions = new ArrayList<>();
    private long sequence;

    TurnGroup() {
        for (int i = 0; i < PARTITIONS; i++) {
            partitions.add(new Partition());
        }
    }

    private static final class Partition {
        private final Deque<Entry> uncommitted = new ArrayDeque<>();
        private @Nullable Member owner;
        private int assignment;
    }

    private static final class Entry {
        private final long sequence;
        private final Announcement announcement;
        private boolean isDelivered;
        private boolean isHandled;

        Entry(long sequence, Announcement announcement) {
            this.sequence = sequence;
            this.announcement = announcement;
        }
    }

    private record Delivery(long sequence, Runnable call) {}

    @Override
    public synchronized void join(Member member) {
        members.add(member);
        assign();
    }

    @Override
    public synchronized void leave(Member member) {
        members.remove(member);
        assign();
    }

    @Override
    public synchronized List<Member> members() {
        return List.copyOf(members);
    }

    private void assign() {
        for (int i = 0; i < PARTITIONS; i++) {
            Partition partition = partitions.get(i);
            Member owner = members.isEmpty() ? null : members.get(i % members.size());
            if (owner != partition.owner) {
                partition.owner = owner;
                partition.assignment++;
                // The next owner begins at what was committed, and knows nothing of what was handled behind it.
                partition.uncommitted.forEach(entry -> {
                    entry.isDelivered = false;
                    entry.isHandled = false;
                });
            }
        }
    }

    private Partition partition(String instanceId) {
        return partitions.get(Math.floorMod(instanceId.hashCode(), PARTITIONS));
    }

    @Override
    public synchronized boolean isOwner(Member member, String instanceId) {
        return partition(instanceId).owner == member;
    }

    @Override
    public synchronized void add(Announcement announcement) {
        partition(announcement.instanceId()).uncommitted.add(new Entry(sequence++, announcement));
    }

    @Override
    public synchronized List<Runnable> takeDeliveries() {
        List<Delivery> deliveries = new ArrayList<>();
        for (Partition partition : partitions) {
            Member owner = partition.owner;
            for (Entry entry : partition.uncommitted) {
                if (owner != null && !entry.isDelivered) {
                    entry.isDelivered = true;
                    Runnable call =
                            owner.delivery(entry.announcement, new Offset(partition, entry, partition.assignment));
                    deliveries.add(new Delivery(entry.sequence, call));
                }
            }
        }
        return deliveries.stream()
                .sorted(Comparator.comparingLong(Delivery::sequence))
                .map(Delivery::call)
                .toList();
    }

    @Override
    public synchronized int waiting() {
        return partitions.stream()
                .mapToInt(partition -> partition.uncommitted.size())
                .sum();
    }

    private final class Offset implements WorkFeed.Receipt {
        private final Partition partition;
        private final Entry entry;
        private final int assignment;

        Offset(Partition partition, Entry entry, int assignment) {
            this.partition = partition;
            this.entry = entry;
            this.assignment = assignment;
        }

        @Override
        public void handled() {
            synchronized (TurnGroup.this) {
                if (assignment != partition.assignment) {
                    return;
                }
                if (entry.isHandled) {
                    throw new IllegalStateException("an announcement was handled twice: " + entry.announcement);
                }
                entry.isHandled = true;
                while (!partition.uncommitted.isEmpty() && partition.uncommitted.getFirst().isHandled) {
                    partition.uncommitted.removeFirst();
                }
            }
        }

        @Override
        public void returned() {
            // A turn's announcement stays with its process.
        }

        @Override
        public boolean isCurrent() {
            synchronized (TurnGroup.this) {
                return assignment == partition.assignment;
            }
        }
    }
}
