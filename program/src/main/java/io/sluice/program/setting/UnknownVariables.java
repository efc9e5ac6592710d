package io.sluice.program.setting;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Environment variables that begin like a program's settings, but are none. */
final class UnknownVariables {
    /** Variables that Kubernetes and Docker set for services whose names begin like a setting. */
    private static final Pattern OF_A_SERVICE =
            Pattern.compile(".*_(SERVICE_(HOST|PORT(_.*)?)|PORT(_[0-9]+_[A-Z]+(_(PROTO|PORT|ADDR))?)?|ENV_.*|NAME)");

    private UnknownVariables() {}

    /** A fault for each: never the value. */
    static List<String> of(Program program, Map<String, String> environment) {
        Set<String> known = Stream.concat(
                        program.catalog().all().stream().map(Setting::variable), program.further().stream())
                .collect(Collectors.toSet());
        return environment.keySet().stream()
                .filter(variable -> variable.startsWith(program.ownPrefix()) && !known.contains(variable))
                .filter(variable -> program.foreign().stream().noneMatch(variable::startsWith))
                .filter(variable -> program.families().stream()
                        .noneMatch(family -> variable.startsWith(Setting.variable(family.prefix()))))
                .filter(variable -> !isOfAService(variable))
                .sorted()
                .map(variable -> program.catalog()
                        .renamed(variable)
                        .map(setting -> variable + " is called " + setting.variable() + " now")
                        .orElseGet(() -> variable + " is no setting; the nearest is " + nearest(variable, known)))
                .toList();
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
