package io.sluice.examples;

import java.util.ArrayList;
import java.util.List;

/**
 * The dead letters of a run against what must be there: each bad command once, with a reason, and nothing else.
 *
 * @param letters the topic's records
 * @param faults empty when all is well
 */
record DeadLetterCheck(List<DeadLetter> letters, List<String> faults) {
    DeadLetterCheck {
        letters = List.copyOf(letters);
        faults = List.copyOf(faults);
    }

    static DeadLetterCheck of(List<DeadLetter> letters) {
        List<String> faults = new ArrayList<>();
        for (BadCommand bad : BadCommand.ALL) {
            List<DeadLetter> found = letters.stream()
                    .filter(letter -> letter.commandId().equals(bad.commandId()))
                    .toList();
            if (found.size() != 1) {
                faults.add("command " + bad.commandId() + " is there " + found.size() + " times, expected once");
            } else if (found.get(0).reason().isBlank()) {
                faults.add("command " + bad.commandId() + " has no reason");
            }
        }
        List<String> expected =
                BadCommand.ALL.stream().map(BadCommand::commandId).toList();
        letters.stream()
                .filter(letter -> !expected.contains(letter.commandId()))
                .forEach(letter -> faults.add("unexpected: " + letter.commandId() + ", " + letter.reason()));
        return new DeadLetterCheck(letters, faults);
    }

    boolean isAsExpected() {
        return faults.isEmpty();
    }
}
