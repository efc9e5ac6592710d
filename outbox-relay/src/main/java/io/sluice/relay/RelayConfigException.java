package io.sluice.relay;

import java.util.List;

/** A configuration the relay can't run with. Its message holds every fault, one a line; secrets are left out. */
public final class RelayConfigException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> faults;

    RelayConfigException(List<String> faults) {
        super(String.join(System.lineSeparator(), faults));
        this.faults = List.copyOf(faults);
    }

    /** Each fault: the setting's key, the fault and, unless secret, the value. */
    public List<String> faults() {
        return faults;
    }
}
