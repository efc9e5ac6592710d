package io.sluice.examples.pages;

/** What an HTML comment in the line above a block says of it. Readers of the page do not see it. */
sealed interface Mark {
    String NOT_RUN = "not run: ";

    /** Makes a mark of the comment's text; empty if there is none. */
    static Mark of(String comment) {
        if (comment.startsWith(NOT_RUN)) {
            return new NotRun(comment.substring(NOT_RUN.length()));
        }
        return switch (comment) {
            case "" -> new None();
            case "in a terminal of its own" -> new OwnTerminal();
            case "fails" -> new Fails();
            case "after the programs are stopped" -> new AfterStop();
            default -> throw new IllegalArgumentException("no mark of a block: " + comment);
        };
    }

    /** The commands end, and each with 0; the output is shown by now. */
    record None() implements Mark {}

    /** The commands can't run here, or run elsewhere. */
    record NotRun(String reason) implements Mark {}

    /** The commands run in the background until the page ends. */
    record OwnTerminal() implements Mark {}

    /** The command ends with another code than 0. */
    record Fails() implements Mark {}

    /** The output is shown once all programs in terminals of their own were asked to end. */
    record AfterStop() implements Mark {}
}
