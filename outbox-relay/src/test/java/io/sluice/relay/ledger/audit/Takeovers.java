package io.sluice.relay.ledger.audit;

import io.sluice.testkit.process.JavaProcess;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** How long each range that a killed relay published had no publisher, by the logs of all relays. */
public final class Takeovers {
    private static final Pattern PUBLISHING =
            Pattern.compile("^(\\S+) .*took a range over, publishing its history range=\"(\\d+)\"");

    /** A relay began to publish a range. */
    private record Takeover(long millis, String range, String relay) {}

    private Takeovers() {}

    /**
     * What each takeover took, the shortest first.
     *
     * @param killedMillis when each relay was killed, by its name
     */
    public static List<Duration> of(List<JavaProcess> programs, Map<String, Long> killedMillis) {
        var all = new ArrayList<Takeover>();
        for (var program : programs) {
            for (var line : program.lines()) {
                var found = PUBLISHING.matcher(line);
                if (found.find()) {
                    var time = LocalDateTime.parse(found.group(1)).atZone(ZoneId.systemDefault());
                    all.add(new Takeover(time.toInstant().toEpochMilli(), found.group(2), program.name()));
                }
            }
        }
        all.sort(Comparator.comparingLong(Takeover::millis));
        var taken = new ArrayList<Duration>();
        for (int i = 0; i < all.size(); i++) {
            var owned = all.get(i);
            long killed = killedMillis.getOrDefault(owned.relay(), Long.MAX_VALUE);
            all.subList(i + 1, all.size()).stream()
                    .filter(later -> later.range().equals(owned.range()))
                    .findFirst()
                    .filter(next -> next.millis() > killed)
                    .ifPresent(next -> taken.add(Duration.ofMillis(next.millis() - killed)));
        }
        return taken.stream().sorted().toList();
    }
}
