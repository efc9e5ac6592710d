package io.sluice.relay.ledger.process;

import static org.awaitility.Awaitility.await;

import io.sluice.relay.cli.Main;
import io.sluice.testkit.process.JavaProcess;
import io.sluice.testkit.process.JavaProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Relays and runtimes of a run, each a process that may be killed, frozen and replaced. Thread-safe. */
public final class Fleet implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(5);
    private static final int MEGABYTES = 256;

    private final Path folder;
    private final Map<String, String> environment;
    private final Map<Kind, List<JavaProcess>> members = new EnumMap<>(Kind.class);
    private final Map<Kind, Integer> started = new EnumMap<>(Kind.class);
    private final Set<JavaProcess> watched = new HashSet<>();
    private final List<JavaProcess> all = new ArrayList<>();
    private final List<String> endedAlone = new ArrayList<>();

    /** What a process is. */
    public enum Kind {
        RELAY("relay is running"),
        RUNTIME("runtime works");

        private final String works;

        Kind(String works) {
            this.works = works;
        }

        /** Whether it has begun to work. */
        public boolean isWorking(JavaProcess program) {
            return program.hasPrinted(works);
        }

        /** Waits until it works; fails when it ends before. */
        public void awaitWorking(JavaProcess program) {
            program.awaitPrinted(works);
        }
    }

    /** @param environment of each process */
    public Fleet(Path folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = environment;
    }

    private List<JavaProcess> of(Kind kind) {
        return members.computeIfAbsent(kind, none -> new ArrayList<>());
    }

    /** Another one starts; returns before it works. */
    public JavaProcess join(Kind kind) {
        return join(kind, false, Map.of());
    }

    /**
     * The same.
     *
     * @param isWatched it is not to be harmed, and has its whole heap from the beginning
     * @param settings what is unusual about it
     */
    public synchronized JavaProcess join(Kind kind, boolean isWatched, Map<String, String> settings) {
        var what = kind.name().toLowerCase(Locale.ROOT);
        var name = what + "-" + started.merge(kind, 1, Integer::sum);
        var program = switch (kind) {
            case RELAY -> JavaProgram.of(relay(settings), "run");
            case RUNTIME -> JavaProgram.of(RuntimeProgram.class);
        };
        var joined = (isWatched ? program.watched(MEGABYTES) : program.small(MEGABYTES))
                .named(name)
                .with(environment)
                .with(Map.of(
                        "COSMOS_APPLICATION",
                        what,
                        RuntimeProgram.JOURNAL,
                        folder.resolve(name + ".journal").toString()))
                .with(settings)
                .start(folder.resolve(name + ".log"));
        of(kind).add(joined);
        all.add(joined);
        if (isWatched) {
            watched.add(joined);
        }
        return joined;
    }

    /** The same, and waits until it works. */
    public JavaProcess joinWorking(Kind kind, Map<String, String> settings) {
        var joined = join(kind, false, settings);
        kind.awaitWorking(joined);
        return joined;
    }

    private static Class<?> relay(Map<String, String> settings) {
        return settings.containsKey(RelayProgram.CLOCK_SECONDS) ? RelayProgram.class : Main.class;
    }

    /** Lets a relay's program make what topics are missing, as an operator does. */
    public void provision() {
        var provisioning =
                JavaProgram.of(Main.class, "provision").small(MEGABYTES).with(environment);
        try (var process = provisioning.start(folder.resolve("provision.log"))) {
            await().atMost(START).until(() -> !process.isAlive());
        }
    }

    /**
     * Those that were started and are neither killed nor gone. One that has ended by itself is replaced first, as a
     * supervisor does, and remembered when it had worked.
     */
    public synchronized List<JavaProcess> members(Kind kind) {
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
    public synchronized List<JavaProcess> awake(Kind kind) {
        return members(kind).stream().filter(member -> !member.isFrozen()).toList();
    }

    /** Waits until every one works. */
    public void awaitWorking() {
        for (var kind : Kind.values()) {
            await("every " + kind + " works, see " + folder)
                    .atMost(START)
                    .until(() -> members(kind).stream().allMatch(kind::isWorking));
        }
    }

    /** Whatever becomes of it, it is no member any more. */
    public synchronized JavaProcess take(JavaProcess member) {
        members.values().forEach(kind -> kind.remove(member));
        return member;
    }

    /** The oldest one is no member any more. */
    public synchronized JavaProcess takeOldest(Kind kind) {
        return of(kind).remove(0);
    }

    /** SIGKILL. */
    public void kill(JavaProcess member) {
        take(member).kill();
    }

    /** SIGTERM to a relay, and waits for the end; fails when it does not drain. */
    public void leave(JavaProcess member) {
        int code = take(member).end();
        if (code != 0) {
            throw new IllegalStateException(member.name() + " ended with " + code + ", see " + folder);
        }
    }

    /** Whether it is not to be harmed. */
    public synchronized boolean isWatched(JavaProcess member) {
        return watched.contains(member);
    }

    /** All that were ever started. */
    public synchronized List<JavaProcess> all() {
        return List.copyOf(all);
    }

    /** Names of those that ended by themselves after they had begun to work. */
    public synchronized List<String> endedAlone() {
        return List.copyOf(endedAlone);
    }

    /** Fails when one has ended by itself. */
    public synchronized void requireAlive() {
        members.values().forEach(kind -> kind.forEach(JavaProcess::requireAlive));
    }

    @Override
    public synchronized void close() {
        all.forEach(JavaProcess::close);
    }
}
