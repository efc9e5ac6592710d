package io.sluice.program.setting;

import java.util.List;

/** Settings that a program can't run with. Its message holds every fault, one a line; secrets are left out. */
public final class SettingsException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> faults;

    public SettingsException(List<String> faults) {
        super(String.join(System.lineSeparator(), faults));
        this.faults = List.copyOf(faults);
    }

    /** Each fault: what was set (the variable, or the key of a file), what is wrong and, unless secret, the value. */
    public List<String> faults() {
        return faults;
    }
}
