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
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * What happened, a line each. Random ids are told by the order in which they appeared, so two runs of a seed have the
 * same. Thread-safe.
 */
public final class Trace {
    private static final Pattern RANDOM =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<=:)[0-9a-f]{16}(?=\\.)");
    private static final int LONGEST = 500;

    private final List<Supplier<String>> lines = new ArrayList<>();

    /** Adds a line, which is made when somebody asks for it: of most worlds nobody does. */
    public synchronized void add(Supplier<String> line) {
        lines.add(line);
    }

    /** All lines. */
    public synchronized List<String> lines() {
        var names = new HashMap<String, String>();
        return lines.stream().map(line -> named(line.get(), names)).toList();
    }

    /** The last lines. */
    String end(int count) {
        var all = lines();
        return String.join("\n", all.subList(Math.max(0, all.size() - count), all.size()));
    }

    private static String named(String line, Map<String, String> names) {
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
