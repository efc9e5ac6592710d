package io.sluice.durabletask.cli;

import java.util.List;

/** Settings with faults; the message has one on each line. */
final class SettingsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SettingsException(List<String> faults) {
        super(String.join(System.lineSeparator(), faults.stream().distinct().toList()));
    }
}
