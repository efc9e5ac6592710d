package io.sluice.provider.feed;

import com.azure.cosmos.CosmosAsyncContainer;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Announces the work of one container to any number of processes, in place of the relay and Kafka. It reads and
 * announces only when {@link #catchUp} is called. Thread-safe.
 */
public final class ChangeFeedAnnouncer {
    private final InstantSource clock;
    private final AnnouncementReader reader;
    private final Executor deliveries;
    private final Object reading = new Object();
    private final Map<GroupId, Group> groups = new LinkedHashMap<>();
    private AnnouncementFault fault = AnnouncementFault.NONE;
    private long delivered;
    private volatile boolean isPaused;
    private volatile boolean isHealthy = true;

    private record GroupId(WorkQueue queue, String filter) {}

    /** Announces what these changes show, in the background too. */
    ChangeFeedAnnouncer(QueueChanges changes, InstantSource clock) {
        this(changes, clock, ForkJoinPool.commonPool());
    }

    /**
     * Announces what these changes show.
     *
     * @param deliveries delivers what was announced before once a member has room for it
     */
    private ChangeFeedAnnouncer(QueueChanges changes, InstantSource clock, Executor deliveries) {
        this.reader = new AnnouncementReader(changes);
        this.clock = clock;
        this.deliveries = deliveries;
    }

    /** One that delivers nothing but by {@link #catchUp} and {@link #untilDelivered}, for worlds without real time. */
    public static ChangeFeedAnnouncer byHand(QueueChanges changes, InstantSource clock) {
        return new ChangeFeedAnnouncer(changes, clock, delivery -> {});
    }

    /**
     * Reads the container through its SDK client.
     *
     * @param clock the processes' time
     */
    public static ChangeFeedAnnouncer of(CosmosAsyncContainer container, InstantSource clock) {
        return new ChangeFeedAnnouncer(new ContainerChanges(container), clock);
    }

    /** The feed of one more process. */
    public WorkFeed join() {
        return new ChangeFeedWorkFeed(this, true, Duration.ZERO);
    }

    /**
     * The same, with a wait for completions.
     *
     * @param completionsWithin see {@link WorkFeed#completionsWithin}
     */
    public WorkFeed join(Duration completionsWithin) {
        return new ChangeFeedWorkFeed(this, true, completionsWithin);
    }

    /**
     * The same of a process whose broker has no share groups: activities are not announced to it.
     *
     * @param completionsWithin see {@link WorkFeed#completionsWithin}
     */
    public WorkFeed joinWithoutActivities(Duration completionsWithin) {
        return new ChangeFeedWorkFeed(this, false, completionsWithin);
    }

    /**
     * Reads everything that was written until now, looks ahead, and delivers all announcements that members have room
     * for. Does nothing while paused.
     */
    public void catchUp() {
        synchronized (reading) {
            if (!isPaused) {
                announce(fault.strike(reader.read(clock.millis())));
                deliver();
            }
        }
    }

    /** Advises processes to look at an instance, as the relay does after its own batches. */
    public void look(String instance) {
        synchronized (reading) {
            announce(List.of(new AnnouncedWork(WorkQueue.TURNS, Announcement.check(instance))));
            deliver();
        }
    }

    private void announce(List<AnnouncedWork> work) {
        for (AnnouncedWork each : work) {
            groups().forEach((id, group) -> {
                if (id.queue() == each.queue()) {
                    group.add(each.announcement());
                }
            });
        }
    }

    /** A member has room for more. */
    void deliverSoon() {
        deliveries.execute(this::deliverNow);
    }

    /** Delivers what was announced before and members have room for. Returns how much was delivered until now. */
    private long deliverNow() {
        synchronized (reading) {
            deliver();
            return delivered;
        }
    }

    private long delivered() {
        synchronized (reading) {
            return delivered;
        }
    }

    /**
     * A fetch that ends with nothing says that a worker is free, who then gets what waits for one: by this call, or in
     * the background while it ran.
     */
    public <T> Optional<T> untilDelivered(Supplier<Optional<T>> fetch) {
        Optional<T> item;
        long before;
        long now = delivered();
        do {
            before = now;
            item = fetch.get();
            now = item.isEmpty() ? deliverNow() : before;
        } while (now > before);
        return item;
    }

    private void deliver() {
        List<Runnable> taken = groups().values().stream()
                .flatMap(group -> group.takeDeliveries().stream())
                .toList();
        taken.forEach(Runnable::run);
        delivered += taken.size();
    }

    /** From now on nothing is read or announced, as when no relay runs; processes are not told. */
    public void pause() {
        isPaused = true;
    }

    public void resume() {
        isPaused = false;
    }

    /** From now on announcements meet this on their way. */
    public void strike(AnnouncementFault next) {
        synchronized (reading) {
            fault = next;
        }
    }

    /** Every process hears that announcements were lost. */
    public void tellLost() {
        synchronized (reading) {
            tell(WorkFeed.Listener::lost);
        }
    }

    /** From now on feeds can be relied on, or not. */
    public void setHealthy(boolean healthy) {
        synchronized (reading) {
            isHealthy = healthy;
            tell(WorkFeed.Listener::healthChanged);
        }
    }

    /** How many announcements nobody has handled. */
    public int waiting() {
        return groups().values().stream().mapToInt(Group::waiting).sum();
    }

    /** Whether feeds can be relied on. */
    public boolean isHealthy() {
        return isHealthy;
    }

    Group join(WorkQueue queue, String filter, Member member) {
        boolean isFirst;
        Group group;
        synchronized (groups) {
            GroupId id = new GroupId(queue, filter);
            isFirst = !groups.containsKey(id);
            group = groups.computeIfAbsent(
                    id, some -> queue == WorkQueue.TURNS ? new TurnGroup() : new ActivityGroup(filter));
            group.join(member);
        }
        if (isFirst) {
            member.listener().lost();
        }
        return group;
    }

    void leave(ChangeFeedWorkFeed feed) {
        for (Group group : groups().values()) {
            group.members().stream().filter(member -> member.isOf(feed)).forEach(group::leave);
        }
    }

    private void tell(Consumer<WorkFeed.Listener> event) {
        groups().values().stream()
                .flatMap(group -> group.members().stream())
                .forEach(member -> event.accept(member.listener()));
    }

    private Map<GroupId, Group> groups() {
        synchronized (groups) {
            return new LinkedHashMap<>(groups);
        }
    }
}
