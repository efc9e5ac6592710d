package io.sluice.relay.ledger;

import static org.awaitility.Awaitility.await;

import io.sluice.relay.Main;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Relays and runtimes of a run, each a process that may be killed, frozen and replaced. Thread-safe. */
final class Fleet implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(5);
    private static final int MEGABYTES = 256;

    private final Path folder;
    private final Map<String, String> environment;
    private final Map<Kind, List<Program>> members = new EnumMap<>(Kind.class);
    private final Map<Kind, Integer> started = new EnumMap<>(Kind.class);
    private final Set<Program> frozen = new HashSet<>();
    private final List<Program> all = new ArrayList<>();
    private final List<String> endedAlone = new ArrayList<>();

    /** What a process is. */
    enum Kind {
        RELAY("relay is running"),
        RUNTIME("runtime works");

        private final String works;

        Kind(String works) {
            this.works = works;
        }

        /** Whether it has begun to work. */
        boolean isWorking(Program program) {
            return program.hasPrinted(works);
        }

        /** Waits until it works; fails when it ends before. */
        void awaitWorking(Program program) {
            program.awaitLine(works);
        }
    }

    /** @param environment of each process */
    Fleet(Path folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = environment;
    }

    private List<Program> of(Kind kind) {
        return members.computeIfAbsent(kind, none -> new ArrayList<>());
    }

    /** Another one starts; returns before it works. */
    Program join(Kind kind) {
        return join(kind, false, Map.of());
    }

    /**
     * The same.
     *
     * @param watched it is not to be harmed, and has its whole heap from the beginning
     * @param settings what is unusual about it
     */
    synchronized Program join(Kind kind, boolean watched, Map<String, String> settings) {
        var what = kind.name().toLowerCase(Locale.ROOT);
        var name = what + "-" + started.merge(kind, 1, Integer::sum);
        var told = new HashMap<>(environment);
        told.put("COSMOS_APPLICATION", what);
        told.put(RuntimeProgram.JOURNAL, folder.resolve(name + ".journal").toString());
        told.putAll(settings);
        var program = switch (kind) {
            case RELAY -> new Program.Spec(name, relay(settings), MEGABYTES, watched, List.of("run"), told);
            case RUNTIME -> new Program.Spec(name, RuntimeProgram.class, MEGABYTES, watched, List.of(), told);
        };
        var joined = Program.start(program, folder);
        of(kind).add(joined);
        all.add(joined);
        return joined;
    }

    /** The same, and waits until it works. */
    Program joinWorking(Kind kind, Map<String, String> settings) {
        var joined = join(kind, false, settings);
        kind.awaitWorking(joined);
        return joined;
    }

    private static Class<?> relay(Map<String, String> settings) {
        return settings.containsKey(RelayProgram.CLOCK_SECONDS) ? RelayProgram.class : Main.class;
    }

    /** Lets a relay's program make what topics are missing, as an operator does. */
    void provision() {
        var spec = new Program.Spec("provision", Main.class, MEGABYTES, false, List.of("provision"), environment);
        try (var provisioning = Program.start(spec, folder)) {
            await().atMost(START).until(() -> !provisioning.isAlive());
        }
    }

    /**
     * Those that were started and are neither killed nor gone. One that has ended by itself is replaced first, as a
     * supervisor does, and remembered when it had worked.
     */
    synchronized List<Program> members(Kind kind) {
        var ended = of(kind).stream().filter(member -> !member.isAlive()).toList();
        for (var member : ended) {
            if (kind.isWorking(member)) {
                endedAlone.add(member.name());
            }
            of(kind).remove(member);
            join(kind);
        }
        return List.copyOf(of(kind));
    }

    /** Those of the members that are not frozen. */
    synchronized List<Program> awake(Kind kind) {
        return members(kind).stream().filter(member -> !frozen.contains(member)).toList();
    }

    /** Waits until every one works. */
    void awaitWorking() {
        for (var kind : Kind.values()) {
            await("every " + kind + " works, see " + folder)
                    .atMost(START)
                    .until(() -> members(kind).stream().allMatch(kind::isWorking));
        }
    }

    /** Whatever becomes of it, it is no member any more. */
    synchronized Program take(Program member) {
        members.values().forEach(kind -> kind.remove(member));
        return member;
    }

    /** The oldest one is no member any more. */
    synchronized Program takeOldest(Kind kind) {
        return of(kind).remove(0);
    }

    /** SIGKILL. */
    void kill(Program member) throws InterruptedException {
        take(member).kill();
    }

    /** SIGTERM to a relay, and waits for the end; fails when it does not drain. */
    void leave(Program member) {
        int code = take(member).end();
        if (code != 0) {
            throw new IllegalStateException(member.name() + " ended with " + code + ", see " + folder);
        }
    }

    /** It stands still. */
    void freeze(Program member) throws IOException, InterruptedException {
        synchronized (this) {
            frozen.add(member);
        }
        member.freeze();
    }

    /** It goes on. */
    void thaw(Program member) throws IOException, InterruptedException {
        member.thaw();
        synchronized (this) {
            frozen.remove(member);
        }
    }

    /** All that were ever started. */
    synchronized List<Program> all() {
        return List.copyOf(all);
    }

    /** Names of those that ended by themselves after they had begun to work. */
    synchronized List<String> endedAlone() {
        return List.copyOf(endedAlone);
    }

    /** Fails when one has ended by itself. */
    synchronized void mustLive() {
        members.values().forEach(kind -> kind.forEach(Program::mustLive));
    }

    @Override
    public synchronized void close() {
        all.forEach(Program::close);
    }
}
