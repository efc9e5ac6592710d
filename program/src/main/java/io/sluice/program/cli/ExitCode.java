package io.sluice.program.cli;

/** What a program's exit code says; all programs share them. */
public final class ExitCode {
    /** Done, or drained after SIGTERM. */
    public static final int DONE = 0;

    /** Not done, or any other failure. */
    public static final int OTHER = 1;

    /** The settings or the command line are wrong. */
    public static final int SETTINGS = 2;

    /** What the program needs can't be reached or refuses, or a port is in use. */
    public static final int START = 3;

    private ExitCode() {}
}
