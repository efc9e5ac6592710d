package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.work.KnownWork;
import io.sluice.provider.cosmos.work.WorkLimits;
import io.sluice.provider.cosmos.work.WorkNeeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Writers, a relay, Kafka and processes in virtual time, all by one seed. */
final class WorkWorld {
    private static final long LONGEST_LAG_MILLIS = 10_000;
    private static final List<String> NAMES = List.of("A", "B", "C");
    private static final long TROUBLE_MILLIS = 40_000;
    /** From the end of all trouble until everything is done; lost announcements wait for a search. */
    private static final long QUIET_MILLIS = 300_000;

    private static final long TOKENLESS_MILLIS = 15_000;

    private final VirtualTime time = new VirtualTime();
    private final SplittableRandom random;
    /** Whether announcements alone have to bring all work: none is lost, and searches are too rare to help. */
    private final boolean isAnnouncedOnly;

    private final WorkLimits limits;
    private final SimulatedStore store = new SimulatedStore(time);
    private final Map<Set<String>, Group> groups = new LinkedHashMap<>();

    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final Map<String, SimulatedStore.Message> messages = new HashMap<>();
    /** Of the last announcement of each instance: those of one instance come in order, but for repeated ones. */
    private final Map<String, Long> announcedMillis = new HashMap<>();

    private final Set<String> excused = new HashSet<>();
    private long number;
    private long steps;

    WorkWorld(long seed, WorkQueue queue) {
        this.random = new SplittableRandom(seed);
        this.isAnnouncedOnly = random.nextBoolean();
        WorkLimits usual = WorkLimits.of(queue);
        int precaution = isAnnouncedOnly ? 1_000_000 : 20_000 + random.nextInt(5_000);
        var announcements = new WorkLimits.FeedWaits(random.nextInt(2) * 200, 0, queue == WorkQueue.TURNS);
        this.limits = new WorkLimits(
                queue,
                usual.mostEntries(),
                usual.searchLimit(),
                2_000,
                5_000,
                64,
                32,
                1_000,
                precaution,
                announcements);
    }

    /** The processes with one filter, and their shares of the topics. */
    private final class Group {
        final SimulatedProcess.Names filter;
        final List<SimulatedTopic.Partition> turns =
                List.of(new SimulatedTopic.Partition(), new SimulatedTopic.Partition());
        final SimulatedTopic.Shared activities = new SimulatedTopic.Shared(time);
        final SimulatedTopic.Shared help = new SimulatedTopic.Shared(time);

        Group(Set<String> names) {
            this.filter = new SimulatedProcess.Names(names);
        }

        List<SimulatedProcess> members() {
            return processes.stream()
                    .filter(process -> process.names.equals(filter.names()))
                    .toList();
        }

        void send(KnownWork work) {
            if (limits.queue() == WorkQueue.TURNS) {
                turns.get(Math.floorMod(work.key().hashCode(), turns.size())).send(work);
            } else {
                activities.send(work);
            }
        }

        /** Partitions whose owner is not a member any more go to one who is, if there is any. */
        void balance() {
            List<SimulatedProcess> members = members();
            for (SimulatedTopic.Partition partition : turns) {
                SimulatedProcess owner = partition.owner;
                if (owner == null || !members.contains(owner)) {
                    partition.assign(members.isEmpty() ? null : members.get(random.nextInt(members.size())));
                }
            }
        }

        boolean isDone() {
            return members().isEmpty()
                    || (turns.stream().allMatch(SimulatedTopic.Partition::isHandled) && activities.isEmpty());
        }

        void deliver() {
            for (SimulatedTopic.Partition partition : turns) {
                SimulatedProcess owner = partition.owner;
                if (owner != null && !owner.isDead) {
                    partition.read().ifPresent(receipt -> owner.announced(receipt, filter, WorkIndex.Delivery.KEPT));
                }
            }
            members().stream().filter(process -> process.demand() > 0).findAny().ifPresent(this::deliver);
        }

        /** A group drops what came back too often. */
        private void searchAll() {
            members().forEach(SimulatedProcess::lost);
        }

        private void deliver(SimulatedProcess free) {
            activities
                    .acquire(this::searchAll)
                    .ifPresent(receipt -> free.announced(receipt, filter, WorkIndex.Delivery.RETURNABLE));
            if (free.demand() > 0) {
                help.acquire(() -> {}).ifPresent(receipt -> free.announced(receipt, filter, WorkIndex.Delivery.HELP));
            }
        }
    }

    VirtualTime time() {
        return time;
    }

    SplittableRandom random() {
        return random;
    }

    WorkLimits limits() {
        return limits;
    }

    SimulatedStore store() {
        return store;
    }

    long number() {
        return number++;
    }

    boolean isAnnouncedOnly() {
        return isAnnouncedOnly;
    }

    long steps() {
        return steps;
    }

    WorkNeeds needs(String name) {
        return limits.queue() == WorkQueue.TURNS
                ? WorkNeeds.ofTurn(name, null, null)
                : WorkNeeds.ofActivity(name, null);
    }

    String anyName() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    boolean isConsumed(String id) {
        SimulatedStore.Message message = messages.get(id);
        return message == null || message.isConsumed();
    }

    /** What is announced of this key may be answered early: it has no start, or can not be read. */
    void excuse(String key) {
        excused.add(key);
    }

    KnownWork known(SimulatedStore.Message message, WorkNeeds needs, @Nullable String token) {
        boolean isTurn = limits.queue() == WorkQueue.TURNS;
        return new KnownWork(
                isTurn ? message.instanceId : message.document.id(),
                message.instanceId,
                List.of(message.document),
                needs,
                message.document.dueAt(),
                0,
                token,
                message.isStart);
    }

    /** The session token of an answer that shows all that was written by then. */
    static String token(long millis) {
        // A replica that lags is before the world's beginning at first.
        return "0:-1#" + (millis + LONGEST_LAG_MILLIS);
    }

    // What happens ----------------------------------------------------------------------------------------------------

    /** Plays a time of trouble, then a quiet one in which everything has to be done. */
    void play() {
        int size = isAnnouncedOnly ? 5 : 3;
        for (int i = 0; i < size; i++) {
            processes.add(new SimulatedProcess(this, isAnnouncedOnly ? oneName(i) : someNames(), turns()));
        }
        processes.forEach(this::join);
        processes.forEach(process -> process.start(1 + random.nextInt(3)));
        int messagesWanted = 20 + random.nextInt(60);
        for (int i = 0; i < messagesWanted; i++) {
            time.at(random.nextLong(TROUBLE_MILLIS), this::write);
        }
        for (int i = 0; i < 12; i++) {
            time.at(random.nextLong(TROUBLE_MILLIS), this::trouble);
        }
        deliver();
        run(TROUBLE_MILLIS);
        if (!isAnnouncedOnly) {
            processes.forEach(process -> rename(process, Set.copyOf(NAMES)));
            processes.forEach(process -> process.healthy(true));
        }
        while (!isDone() && time.now() < TROUBLE_MILLIS + QUIET_MILLIS) {
            run(time.now() + 1_000);
        }
        checkDone();
    }

    private void run(long untilMillis) {
        while (time.step(untilMillis)) {
            steps++;
            processes.forEach(SimulatedProcess::checkNothingLost);
        }
    }

    private boolean isDone() {
        return store.unconsumed().isEmpty()
                && processes.stream().allMatch(process -> process.size() == 0)
                && groups.values().stream().allMatch(Group::isDone);
    }

    private long turns() {
        return random.nextInt(3) == 0 ? 9_000 : 300;
    }

    /** All processes together run all names. */
    private Set<String> oneName(int place) {
        return Set.of(NAMES.get(place % NAMES.size()));
    }

    private Set<String> someNames() {
        Set<String> names = new HashSet<>();
        NAMES.stream().filter(name -> random.nextInt(3) > 0).forEach(names::add);
        names.add(anyName());
        return Set.copyOf(names);
    }

    private SimulatedProcess anyProcess() {
        return processes.get(random.nextInt(processes.size()));
    }

    private void write() {
        boolean isTurn = limits.queue() == WorkQueue.TURNS;
        var instance = store.instance(isTurn ? "i" + random.nextInt(8) : "i" + number(), anyName());
        boolean isStart = !isTurn || (!instance.hasStarted && random.nextInt(3) > 0);
        long dueAt = random.nextInt(5) == 0 ? time.now() + random.nextInt(5_000) : time.now();
        write(instance, isStart, dueAt);
    }

    /** An instance continues as another orchestration. */
    void continueAs(SimulatedStore.Instance instance) {
        write(instance, true, time.now());
    }

    private void write(SimulatedStore.Instance instance, boolean isStart, long dueAt) {
        var message = store.write(instance, isStart, dueAt);
        messages.put(message.document.id(), message);
        if (random.nextInt(8) == 0) {
            anyProcess().written(known(message, WorkNeeds.UNKNOWN, ""));
        }
        int copies = !isAnnouncedOnly && random.nextInt(12) == 0 ? 0 : random.nextInt(6) == 0 ? 2 : 1;
        WorkNeeds needs = told(message);
        long first = Math.max(announcedMillis.getOrDefault(instance.id, 0L), time.now() + random.nextInt(200));
        announcedMillis.put(instance.id, first);
        for (int i = 0; i < copies; i++) {
            time.at(i == 0 ? first : first + random.nextInt(20_000), () -> announce(message, needs));
        }
    }

    /** What the relay says of it: it reads starts, and knows the heads that have passed. */
    private WorkNeeds told(SimulatedStore.Message message) {
        boolean isWrong = !isAnnouncedOnly && random.nextInt(20) == 0;
        String name = isWrong ? anyName() : store.find(message.instanceId).orElseThrow().name;
        // By the time that it is due the instance may run another one.
        boolean mayBeSaid = limits.queue() == WorkQueue.ACTIVITIES || message.document.dueAt() <= time.now();
        boolean isKnown =
                mayBeSaid && ((message.isStart && limits.queue() == WorkQueue.TURNS) || random.nextInt(3) == 0);
        return isKnown ? needs(name) : WorkNeeds.UNKNOWN;
    }

    private void announce(SimulatedStore.Message message, WorkNeeds needs) {
        boolean hasToken = limits.queue() == WorkQueue.TURNS && random.nextInt(3) > 0;
        send(known(message, needs, hasToken ? token(message.writtenMillis) : null));
    }

    private void send(KnownWork work) {
        groups.values().forEach(group -> group.send(work));
    }

    private void trouble() {
        switch (random.nextInt(isAnnouncedOnly ? 3 : 6)) {
            case 0 -> kill(random.nextInt(processes.size()));
            case 1 -> {
                SimulatedProcess next = anyProcess();
                Group group = group(next);
                group.turns.get(random.nextInt(group.turns.size())).assign(next);
            }
            case 2 -> {
                // Foreign: nobody has written it.
                var document = AnnouncedDocument.named("foreign" + number(), time.now());
                String id = limits.queue() == WorkQueue.TURNS ? "i" + random.nextInt(12) : document.id();
                send(new KnownWork(id, id, List.of(document), WorkNeeds.UNKNOWN, 0, 0, null, false));
            }
            case 3 -> anyProcess().lost();
            case 4 -> rename(anyProcess(), someNames());
            default -> {
                SimulatedProcess process = anyProcess();
                process.healthy(false);
                time.in(random.nextInt(10_000), () -> {
                    if (!process.isDead) {
                        process.healthy(true);
                    }
                });
            }
        }
    }

    private void rename(SimulatedProcess process, Set<String> names) {
        if (!process.names.equals(names)) {
            Group left = group(process);
            process.names = names;
            left.balance();
            join(process);
        }
    }

    /** A new group begins at the end of the topics: what was there before has to be searched for. */
    private void join(SimulatedProcess process) {
        if (!groups.containsKey(process.names)) {
            groups.put(process.names, new Group(process.names));
            process.lost();
        }
        group(process).balance();
    }

    private Group group(SimulatedProcess process) {
        return Objects.requireNonNull(groups.get(process.names));
    }

    private void kill(int place) {
        SimulatedProcess dead = processes.get(place);
        dead.isDead = true;
        var next = new SimulatedProcess(this, isAnnouncedOnly ? oneName(place) : someNames(), turns());
        processes.set(place, next);
        if (!groups.containsKey(next.names)) {
            join(next);
        }
        next.start(2);
        time.in(6_000, () -> groups.values().forEach(Group::balance));
    }

    /** The clients of Kafka read on. */
    private void deliver() {
        groups.values().forEach(Group::deliver);
        time.in(40, this::deliver);
    }

    /** A request for help may be lost. */
    void askForHelp(KnownWork work) {
        if (random.nextInt(5) > 0) {
            time.in(1 + random.nextInt(100), () -> groups.values().forEach(group -> group.help.send(work)));
        }
    }

    // What must hold --------------------------------------------------------------------------------------------------

    /** An announcement is handled when its work is done, for others, or known to be gone; not before. */
    void checkSettled(SimulatedReceipt receipt) {
        KnownWork work = receipt.record.work();
        if (receipt.isHelp
                || receipt.toldTo == null
                || isForOthers(work, receipt.toldTo)
                || excused.contains(work.key())) {
            return;
        }
        for (AnnouncedDocument document : work.documents()) {
            boolean isDone = isConsumed(document.id());
            boolean isOld = work.token() == null && time.now() - document.enqueuedAt() >= TOKENLESS_MILLIS;
            if (!isDone && !isOld) {
                throw new AssertionError("answered before its work was done: " + work);
            }
        }
    }

    private boolean isForOthers(KnownWork work, SimulatedProcess.Names filter) {
        boolean isTold = work.needs().isKnown() && !filter.accepts(work.needs());
        return isTold
                || store.find(work.instanceId())
                        .filter(instance -> instance.hadNameOutside(filter.names()))
                        .isPresent();
    }

    private void checkDone() {
        List<SimulatedStore.Message> left = store.unconsumed();
        if (!left.isEmpty()) {
            SimulatedStore.Message message = left.get(0);
            throw new AssertionError("not consumed: " + known(message, WorkNeeds.UNKNOWN, null));
        }
        for (SimulatedProcess process : processes) {
            if (process.size() > 0) {
                throw new AssertionError("an index still has " + process.size() + " entries, and there is nothing");
            }
        }
        if (!groups.values().stream().allMatch(Group::isDone)) {
            throw new AssertionError("announcements are not handled, though all work is done");
        }
    }
}
