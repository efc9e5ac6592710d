package io.sluice.provider.world;

import io.sluice.emulator.LoggedRequest;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What happened, a line each. Random ids are told by the order in which they appeared, so two runs of a seed have the
 * same. Thread-safe.
 */
public final class Trace {
    private static final Pattern RANDOM =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<=:)[0-9a-f]{16}(?=\\.)");
    private static final int LONGEST = 500;

    private final List<String> lines = new ArrayList<>();
    private final Map<String, String> names = new HashMap<>();

    /** Adds a line. */
    public synchronized void add(String line) {
        lines.add(named(line));
    }

    /** All lines. */
    public synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    /** The last lines. */
    synchronized String end(int count) {
        return String.join("\n", lines.subList(Math.max(0, lines.size() - count), lines.size()));
    }

    private String named(String line) {
        var shortened = line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
        return RANDOM.matcher(shortened)
                .replaceAll(found -> names.computeIfAbsent(found.group(), unused -> "#" + (names.size() + 1)));
    }

    static String request(LoggedRequest request) {
        var batch = switch (request.operation()) {
            case BATCH -> request.partitionKey() + " " + request.body();
            case QUERY -> String.valueOf(request.partitionKey());
            default -> request.partitionKey() + " " + request.itemId();
        };
        return request.operation() + " " + batch + " → " + request.status()
                + (request.fault() == null ? "" : " (" + request.fault() + ")");
    }

    /** What a caller got. */
    static String shown(Object result) {
        if (result instanceof Optional<?> optional) {
            return optional.map(Trace::shown).orElse("nothing");
        }
        if (result instanceof LockedTurn turn) {
            return "got " + turn.item().instance() + " execution " + turn.item().executionId() + " with "
                    + turn.item().history().size() + " events and "
                    + turn.item().messages() + " attempt "
                    + turn.attemptCount();
        }
        if (result instanceof LockedWorkItem work) {
            return "got " + work.item() + " attempt " + work.attemptCount();
        }
        return result instanceof Collection<?> all ? all.size() + " of them" : result.toString();
    }
}
