package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.work.DocumentKey;
import io.sluice.provider.cosmos.work.KnownWork;
import io.sluice.provider.cosmos.work.WorkCandidate;
import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkFound;
import io.sluice.provider.cosmos.work.WorkMoment;
import io.sluice.provider.cosmos.work.WorkNeeds;
import io.sluice.provider.cosmos.work.WorkOutcome;
import io.sluice.provider.cosmos.work.WorkSearch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** One process with an index and some dispatchers, until it dies. It checks each decision of its index. */
final class SimulatedProcess {
    private static final long LOCK_MILLIS = 12_000;
    private static final int LOOKS = 3;

    private final WorkWorld world;
    private final VirtualTime time;
    private final SplittableRandom random;
    private final WorkIndex index;
    private final Map<String, Long> tried = new HashMap<>();
    private final Map<Long, Dispatcher> dispatchers = new HashMap<>();
    private final Set<SimulatedReceipt> open = new HashSet<>();
    private long tickMillis = Long.MAX_VALUE;
    private final Map<WorkFilter, Integer> wanted = new HashMap<>();
    private int demand;
    final long lagMillis;
    final long longestTurnMillis;
    Set<String> names;
    boolean isDead;

    SimulatedProcess(WorkWorld world, Set<String> names, long longestTurnMillis) {
        this.world = world;
        this.time = world.time();
        this.random = world.random();
        this.names = names;
        this.lagMillis = random.nextInt(3) == 0 ? 0 : random.nextInt(2_500);
        this.longestTurnMillis = longestTurnMillis;
        this.index = new WorkIndex(world.limits());
        tell(index.healthy(true, moment()));
    }

    /** What a dispatcher runs. */
    record Names(Set<String> names) implements WorkFilter {
        @Override
        public boolean accepts(WorkNeeds needs) {
            return names.contains(world(needs));
        }

        private static String world(WorkNeeds needs) {
            String orchestration = needs.orchestration();
            return String.valueOf(orchestration == null ? needs.tag() : orchestration);
        }
    }

    private static final class Dispatcher {
        long fetch;
        long untilMillis;
        WorkFilter filter = needs -> false;
        boolean isWaiting;
    }

    void start(int count) {
        for (int i = 0; i < count; i++) {
            time.in(random.nextInt(500), () -> fetch(new Dispatcher()));
        }
    }

    int demand() {
        return isDead ? 0 : demand;
    }

    int size() {
        return index.size();
    }

    // What it hears ---------------------------------------------------------------------------------------------------

    void announced(SimulatedReceipt receipt, Names toldTo, WorkIndex.Delivery delivery) {
        receipt.isHelp = delivery == WorkIndex.Delivery.HELP;
        receipt.toldTo = toldTo;
        open.add(receipt);
        if (delivery != WorkIndex.Delivery.KEPT) {
            demand = Math.max(0, demand - 1);
        }
        tell(index.announced(List.of(receipt.record.work()), receipt, toldTo, delivery, moment()));
    }

    void lost() {
        tell(index.lost(moment()));
    }

    void healthy(boolean isHealthy) {
        tell(index.healthy(isHealthy, moment()));
    }

    void written(KnownWork work) {
        tell(index.written(work, moment()));
    }

    // Its dispatchers -------------------------------------------------------------------------------------------------

    private void fetch(Dispatcher dispatcher) {
        if (isDead) {
            return;
        }
        dispatcher.fetch = world.number();
        dispatcher.untilMillis = time.now() + (random.nextInt(4) == 0 ? 0 : random.nextInt(3_000));
        dispatcher.filter = new Names(names);
        dispatchers.put(dispatcher.fetch, dispatcher);
        ask(dispatcher);
    }

    private void ask(Dispatcher dispatcher) {
        if (!isDead && dispatchers.containsKey(dispatcher.fetch)) {
            boolean isOver = dispatcher.untilMillis <= time.now();
            tell(index.take(dispatcher.fetch, dispatcher.filter, isOver, moment()));
        }
    }

    private Dispatcher dispatcher(long fetch) {
        return Objects.requireNonNull(dispatchers.get(fetch));
    }

    private WorkMoment moment() {
        return new WorkMoment(time.now(), time.now());
    }

    private long next() {
        WorkMoment next = index.next();
        return Math.min(next.millis(), next.steadyMillis());
    }

    private void tell(List<WorkDecision> decisions) {
        decisions.forEach(this::carryOut);
        long next = next();
        if (next < tickMillis) {
            tickMillis = next;
            time.at(next, () -> {
                if (tickMillis == next && !isDead) {
                    tickMillis = Long.MAX_VALUE;
                    tell(index.passed(moment()));
                }
            });
        }
    }

    private void carryOut(WorkDecision decision) {
        if (decision instanceof WorkDecision.Try given) {
            Dispatcher dispatcher = dispatcher(given.fetch());
            dispatcher.isWaiting = false;
            check(dispatcher, given);
            time.in(1 + random.nextInt(20), () -> look(dispatcher, given.candidate(), 0));
        } else if (decision instanceof WorkDecision.Wait wait) {
            Dispatcher dispatcher = dispatcher(wait.fetch());
            dispatcher.isWaiting = true;
            long until = dispatcher.untilMillis <= time.now() ? next() : Math.min(dispatcher.untilMillis, next());
            time.at(Math.max(time.now() + 1, until), () -> {
                if (dispatcher.fetch == wait.fetch() && dispatcher.isWaiting) {
                    ask(dispatcher);
                }
            });
        } else if (decision instanceof WorkDecision.Nothing nothing) {
            Dispatcher dispatcher = dispatcher(nothing.fetch());
            dispatchers.remove(nothing.fetch());
            dispatcher.isWaiting = false;
            time.in(random.nextInt(50), () -> fetch(dispatcher));
        } else if (decision instanceof WorkDecision.Wake wake) {
            Dispatcher dispatcher = dispatcher(wake.fetch());
            time.in(0, () -> ask(dispatcher));
        } else if (decision instanceof WorkDecision.Settle settle) {
            SimulatedReceipt receipt = (SimulatedReceipt) settle.receipt();
            world.checkSettled(receipt);
            open.remove(receipt);
            receipt.handled();
        } else if (decision instanceof WorkDecision.Release release) {
            SimulatedReceipt receipt = (SimulatedReceipt) release.receipt();
            open.remove(receipt);
            receipt.returned();
        } else if (decision instanceof WorkDecision.AskForHelp help) {
            world.askForHelp(help.work());
        } else if (decision instanceof WorkDecision.Search search) {
            search(dispatcher(search.fetch()), search.request());
        } else if (decision instanceof WorkDecision.Demand asked) {
            wanted.put(asked.filter(), asked.announcements());
            demand = wanted.values().stream().mapToInt(Integer::intValue).sum();
        }
    }

    private void check(Dispatcher dispatcher, WorkDecision.Try given) {
        WorkCandidate candidate = given.candidate();
        if (tried.putIfAbsent(candidate.key(), given.fetch()) != null) {
            throw new AssertionError("two fetches have " + candidate);
        }
        if (candidate.needs().isKnown() && !dispatcher.filter.accepts(candidate.needs())) {
            throw new AssertionError("the filter does not take " + candidate);
        }
        Set<String> ids = candidate.documents().stream().map(each -> each.id()).collect(Collectors.toSet());
        if (candidate.knowledge() == WorkCandidate.Knowledge.OUTDATED) {
            return;
        }
        for (SimulatedReceipt receipt : open) {
            KnownWork work = receipt.record.work();
            if (receipt.isCurrent() && work.key().equals(candidate.key()) && work.dueAt() <= time.now()) {
                boolean isLeftOut = work.documents().stream()
                        .anyMatch(document -> !ids.contains(document.id()) && !world.isConsumed(document.id()));
                if (isLeftOut) {
                    throw new AssertionError("what was heard is left out: " + work + " of " + candidate);
                }
            }
        }
    }

    // The store -------------------------------------------------------------------------------------------------------

    private void search(Dispatcher dispatcher, WorkSearch.Request search) {
        dispatcher.isWaiting = false;
        time.in(5 + random.nextInt(40), () -> {
            if (isDead) {
                return;
            }
            if (random.nextInt(20) == 0) {
                tell(index.searchFailed(search.number(), moment()));
                ask(dispatcher);
                return;
            }
            Set<String> hidden = new HashSet<>(search.hidden());
            var rows = world.store().search(lagMillis, search.limit(), hidden);
            List<KnownWork> found = new ArrayList<>();
            rows.forEach(row -> found.add(world.known(row, WorkNeeds.UNKNOWN, null)));
            var extent = new WorkFound.Extent(rows.size() < search.limit(), true, false, 0);
            tell(index.found(search.number(), new WorkFound(found, extent), moment()));
            ask(dispatcher);
        });
    }

    private void look(Dispatcher dispatcher, WorkCandidate candidate, int looks) {
        if (isDead) {
            return;
        }
        var instance = world.store().find(candidate.instanceId());
        if (random.nextInt(40) == 0) {
            fails(dispatcher, candidate, new WorkOutcome.Returned(time.now() + random.nextInt(300)));
            return;
        }
        var visible =
                instance.map(found -> world.store().visible(found, lagMillis)).orElse(List.of());
        if (visible.isEmpty()) {
            fails(dispatcher, candidate, new WorkOutcome.NotSeen(token()));
            return;
        }
        var found = instance.get();
        if (!found.hasStarted) {
            world.excuse(candidate.key());
            fails(dispatcher, candidate, new WorkOutcome.Unstarted(time.now() + 1_000));
        } else if (found.lockedUntil > time.now()) {
            fails(dispatcher, candidate, new WorkOutcome.Contended(found.lockedUntil));
        } else if (!world.isAnnouncedOnly() && random.nextInt(200) == 0) {
            world.excuse(candidate.key());
            fails(dispatcher, candidate, new WorkOutcome.Broken(time.now() + 3_000));
        } else if (!dispatcher.filter.accepts(world.needs(found.nameAt(time.now() - lagMillis)))) {
            WorkNeeds needs = world.needs(found.nameAt(time.now() - lagMillis));
            fails(dispatcher, candidate, new WorkOutcome.Unsuitable(needs, "v" + found.version, 0, token()));
        } else if (world.store().tryLock(found, dispatcher, lagMillis, time.now() + LOCK_MILLIS)) {
            locked(dispatcher, candidate, found, visible);
        } else if (looks < LOOKS) {
            time.in(1 + random.nextInt(20), () -> look(dispatcher, candidate, looks + 1));
        } else {
            fails(dispatcher, candidate, new WorkOutcome.Contended(time.now() + 1_000));
        }
    }

    /** How far its replica is. */
    private String token() {
        return WorkWorld.token(time.now() - lagMillis);
    }

    private void fails(Dispatcher dispatcher, WorkCandidate candidate, WorkOutcome outcome) {
        conclude(candidate.key(), outcome);
        ask(dispatcher);
    }

    private void conclude(String key, WorkOutcome outcome) {
        tried.remove(key);
        tell(index.concluded(key, outcome, moment()));
    }

    private void locked(
            Dispatcher dispatcher,
            WorkCandidate candidate,
            SimulatedStore.Instance instance,
            List<SimulatedStore.Message> visible) {
        dispatchers.remove(dispatcher.fetch);
        tell(index.leave(dispatcher.fetch, moment()));
        boolean isCut = visible.size() > 3;
        List<SimulatedStore.Message> chosen = isCut ? visible.subList(0, 3) : visible;
        long turnMillis = 5 + random.nextLong(longestTurnMillis);
        String before = instance.name;
        boolean mayBeRenamed = world.limits().queue() == WorkQueue.TURNS && random.nextInt(10) == 0;
        String newName = mayBeRenamed ? world.anyName() : before;
        time.in(turnMillis, () -> {
            if (isDead) {
                return;
            }
            boolean isAcked = random.nextInt(40) > 0 && world.store().tryAck(instance, dispatcher, chosen, newName);
            if (isAcked && !newName.equals(before)) {
                world.continueAs(instance);
            }
            conclude(candidate.key(), isAcked ? done(chosen, isCut) : new WorkOutcome.Lost());
            fetch(dispatcher);
        });
    }

    private WorkOutcome done(List<SimulatedStore.Message> consumed, boolean isCut) {
        Set<DocumentKey> keys = consumed.stream()
                .map(message -> DocumentKey.of(world.limits().queue(), message.document))
                .collect(Collectors.toSet());
        return new WorkOutcome.Done(keys, isCut);
    }

    /** Nothing that was heard and not answered is forgotten. */
    void checkNothingLost() {
        open.removeIf(receipt -> !receipt.isCurrent());
        for (SimulatedReceipt receipt : open) {
            if (index.state(receipt.record.work().key()) == null) {
                throw new AssertionError("the index lost " + receipt.record.work());
            }
        }
    }
}
