package io.sluice.examples.pages;

/**
 * A fenced block of a page.
 *
 * @param line where it begins, from 1
 * @param language after the fence; empty for none
 * @param text without the fences
 * @param mark what the comment above it says
 */
record Block(int line, String language, String text, Mark mark) {

    /** Whether it has commands for a shell. */
    boolean isCommands() {
        return language.equals("sh") || language.equals("bash");
    }

    /** Whether it shows what a program prints. */
    boolean isOutput() {
        return language.equals("text");
    }

    Block withText(String changed) {
        return new Block(line, language, changed, mark);
    }
}
