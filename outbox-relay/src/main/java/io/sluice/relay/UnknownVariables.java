package io.sluice.relay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Environment variables that begin like the relay's settings, but are none. */
final class UnknownVariables {
    private static final String OURS = "SLUICE_";
    /** Variables that Kubernetes and Docker set for services whose names begin like a setting. */
    private static final Pattern OF_A_SERVICE =
            Pattern.compile(".*_(SERVICE_(HOST|PORT(_.*)?)|PORT(_[0-9]+_[A-Z]+(_(PROTO|PORT|ADDR))?)?|ENV_.*|NAME)");
    /** Prefixes of other programs of the project. */
    private static final List<String> OF_OTHERS = List.of("SLUICE_TEST_", "SLUICE_DEMO_");

    /**
     * A variable that is no setting.
     *
     * @param words the fault; never the value
     */
    record Unknown(String variable, String words) {}

    private UnknownVariables() {}

    static List<Unknown> of(Map<String, String> environment) {
        Set<String> known = Stream.concat(
                        SettingCatalog.all().stream().map(Setting::variable), Stream.of(RelayCommand.FILE_VARIABLE))
                .collect(Collectors.toSet());
        List<Unknown> found = new ArrayList<>();
        environment.keySet().stream()
                .filter(variable -> variable.startsWith(OURS) && !known.contains(variable))
                .filter(variable -> OF_OTHERS.stream().noneMatch(variable::startsWith))
                .filter(variable -> !variable.startsWith(ClientSettings.VARIABLES))
                .filter(variable -> !isOfAService(variable))
                .sorted()
                .forEach(variable ->
                        found.add(new Unknown(variable, "is no setting; the nearest is " + nearest(variable, known))));
        return found;
    }

    static boolean isOfAService(String variable) {
        return OF_A_SERVICE.matcher(variable).matches();
    }

    private static String nearest(String variable, Set<String> known) {
        return known.stream()
                .sorted()
                .min(Comparator.comparingInt(each -> distance(variable, each)))
                .orElseThrow();
    }

    /** The number of letters to add, remove or change. */
    private static int distance(String one, String other) {
        int[] before = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int[] now = new int[other.length() + 1];
            now[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int changed = before[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                now[j] = Math.min(changed, 1 + Math.min(before[j], now[j - 1]));
            }
            before = now;
        }
        return before[other.length()];
    }
}
