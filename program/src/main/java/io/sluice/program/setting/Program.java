package io.sluice.program.setting;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a program can be told.
 *
 * @param catalog its settings
 * @param families settings whose names begin alike
 * @param otherVariables variables that are accepted where another one is not set: which stands for which
 * @param ownPrefix begins the names of its variables; one that begins so and is no setting is a fault
 * @param foreign what variables begin with that are other programs'
 * @param further variables that are its own without being settings
 */
public record Program(
        SettingCatalog catalog,
        List<SettingFamily> families,
        Map<String, String> otherVariables,
        String ownPrefix,
        List<String> foreign,
        Set<String> further) {
    public Program {
        families = List.copyOf(families);
        otherVariables = Map.copyOf(otherVariables);
        foreign = List.copyOf(foreign);
        further = Set.copyOf(further);
    }

    /**
     * Variables that begin so and are no settings of it, each with the nearest one: another program's, or misspelled.
     * Their values are not shown.
     */
    public List<String> unknown(String prefix, Map<String, String> environment) {
        return UnknownVariables.of(
                new Program(catalog, families, otherVariables, prefix, foreign, further), environment);
    }
}
