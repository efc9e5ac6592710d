package io.sluice.provider.cosmos.work;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.WorkQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Writers, a relay, Kafka and processes in virtual time, all by one seed. */
final class WorkWorld {
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
    private final List<SimulatedTopic.Partition> partitions = new ArrayList<>();
    private final SimulatedTopic.Shared activities = new SimulatedTopic.Shared(time);
    /** A group for each filter. */
    private final Map<Set<String>, SimulatedTopic.Shared> help = new HashMap<>();

    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final Map<String, SimulatedStore.Message> messages = new HashMap<>();
    private final Set<String> handedOn = new HashSet<>();
    private final Set<String> excused = new HashSet<>();
    private long number;
    private long steps;

    WorkWorld(long seed, WorkQueue queue) {
        this.random = new SplittableRandom(seed);
        this.isAnnouncedOnly = random.nextBoolean();
        WorkLimits usual = WorkLimits.of(queue);
        int precaution = isAnnouncedOnly ? 1_000_000 : 20_000 + random.nextInt(5_000);
        var announcements = new WorkLimits.FeedWaits(random.nextInt(2) * 200, 0, true);
        this.limits = new WorkLimits(
                queue, usual.mostEntries(), usual.searchLimit(), 2_000, 64, 32, 1_000, precaution, announcements);
        for (int i = 0; i < 2; i++) {
            partitions.add(new SimulatedTopic.Partition());
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
                message.isStart,
                false);
    }

    // What happens ----------------------------------------------------------------------------------------------------

    /** Plays a time of trouble, then a quiet one in which everything has to be done. */
    void play() {
        for (int i = 0; i < 3; i++) {
            processes.add(new SimulatedProcess(this, isAnnouncedOnly ? oneName(i) : someNames(), turns()));
            help(processes.get(i));
            processes.get(i).start(1 + random.nextInt(3));
        }
        partitions.forEach(partition -> partition.assign(anyProcess()));
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
                && partitions.stream().allMatch(SimulatedTopic.Partition::isHandled)
                && processes.stream().allMatch(process -> help(process).isEmpty())
                && activities.isEmpty();
    }

    private long turns() {
        return random.nextInt(3) == 0 ? 9_000 : 300;
    }

    /** All processes together run all names. */
    private Set<String> oneName(int place) {
        return Set.of(NAMES.get(place));
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
        var message = store.write(instance, isStart, dueAt);
        messages.put(message.document.id(), message);
        if (random.nextInt(8) == 0) {
            anyProcess().written(known(message, WorkNeeds.UNKNOWN, ""));
        }
        int copies = !isAnnouncedOnly && random.nextInt(12) == 0 ? 0 : random.nextInt(6) == 0 ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            time.in(random.nextInt(i == 0 ? 200 : 20_000), () -> announce(message));
        }
    }

    private void announce(SimulatedStore.Message message) {
        WorkNeeds needs = WorkNeeds.UNKNOWN;
        if (random.nextBoolean()) {
            boolean isWrong = random.nextInt(20) == 0;
            needs = needs(isWrong ? anyName() : store.find(message.instanceId).orElseThrow().name);
        }
        boolean hasToken = limits.queue() == WorkQueue.TURNS && random.nextInt(3) > 0;
        send(known(message, needs, hasToken ? Long.toString(message.writtenMillis) : null));
    }

    private void send(KnownWork work) {
        if (limits.queue() == WorkQueue.TURNS) {
            partitions
                    .get(Math.floorMod(work.key().hashCode(), partitions.size()))
                    .send(work);
        } else {
            activities.send(work);
        }
    }

    private void trouble() {
        switch (random.nextInt(isAnnouncedOnly ? 3 : 6)) {
            case 0 -> kill(random.nextInt(processes.size()));
            case 1 -> partitions.get(random.nextInt(partitions.size())).assign(anyProcess());
            case 2 -> {
                // Foreign: nobody has written it.
                var document = AnnouncedDocument.named("foreign" + number(), time.now());
                String id = limits.queue() == WorkQueue.TURNS ? "i" + random.nextInt(12) : document.id();
                send(new KnownWork(id, id, List.of(document), WorkNeeds.UNKNOWN, 0, 0, null, false, false));
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
        process.names = names;
        help(process);
    }

    private void kill(int place) {
        SimulatedProcess dead = processes.get(place);
        dead.isDead = true;
        var next = new SimulatedProcess(this, isAnnouncedOnly ? oneName(place) : someNames(), turns());
        processes.set(place, next);
        help(next);
        next.start(2);
        time.in(
                6_000,
                () -> partitions.stream()
                        .filter(partition -> partition.owner == dead)
                        .forEach(partition -> partition.assign(anyProcess())));
    }

    /** The clients of Kafka read on. */
    private void deliver() {
        for (SimulatedTopic.Partition partition : partitions) {
            SimulatedProcess owner = partition.owner;
            if (owner != null && !owner.isDead) {
                partition.read().ifPresent(receipt -> owner.announced(receipt, WorkIndex.Delivery.KEPT));
            }
        }
        SimulatedProcess process = anyProcess();
        if (process.isFree()) {
            help(process).acquire().ifPresent(receipt -> process.announced(receipt, delivery(receipt)));
        }
        if (process.demand() > 0) {
            activities.acquire().ifPresent(receipt -> process.announced(receipt, delivery(receipt)));
        }
        time.in(40, this::deliver);
    }

    private SimulatedTopic.Shared help(SimulatedProcess process) {
        return help.computeIfAbsent(process.names, names -> new SimulatedTopic.Shared(time));
    }

    private static WorkIndex.Delivery delivery(SimulatedReceipt receipt) {
        return receipt.delivery >= SimulatedTopic.Shared.MOST_DELIVERIES - 1
                ? WorkIndex.Delivery.LAST
                : WorkIndex.Delivery.RETURNABLE;
    }

    /** Kafka takes a request for help, or refuses it. */
    void handOn(SimulatedProcess from, WorkDecision.HandOn asked) {
        KnownWork work = asked.work();
        boolean isTaken = time.now() > TROUBLE_MILLIS || random.nextInt(5) > 0;
        time.in(1 + random.nextInt(100), () -> {
            if (isTaken) {
                help.values().forEach(group -> group.send(work));
                work.documents().forEach(document -> handedOn.add(document.id()));
            }
            from.handedOn(asked, isTaken);
        });
    }

    // What must hold --------------------------------------------------------------------------------------------------

    /** An announcement is handled when its work is done, handed on, or known to be gone; not before. */
    void checkSettled(SimulatedReceipt receipt) {
        KnownWork work = receipt.record.work();
        for (AnnouncedDocument document : work.documents()) {
            boolean isDone = isConsumed(document.id());
            boolean isOld = work.token() == null && time.now() - document.enqueuedAt() >= TOKENLESS_MILLIS;
            boolean isLeftToOthers = handedOn.contains(document.id());
            if (!isDone && !isOld && !isLeftToOthers && !excused.contains(work.key())) {
                throw new AssertionError("answered before its work was done: " + work);
            }
        }
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
        for (SimulatedTopic.Partition partition : partitions) {
            if (!partition.isHandled()) {
                throw new AssertionError("announcements are not handled, though all work is done");
            }
        }
        if (processes.stream().anyMatch(process -> !help(process).isEmpty()) || !activities.isEmpty()) {
            throw new AssertionError("a share group still has records, though all work is done");
        }
    }
}
