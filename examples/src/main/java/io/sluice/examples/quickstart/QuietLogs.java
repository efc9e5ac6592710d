package io.sluice.examples.quickstart;

/** Logs only warnings, and on the standard error: the programs print what they do on the standard output. */
public final class QuietLogs {
    private static final String SETTING = "logback.configurationFile";

    private QuietLogs() {}

    /** Call it before anything logs; a configuration that the caller chose stays. */
    public static void choose() {
        if (System.getProperty(SETTING) == null) {
            System.setProperty(SETTING, "io/sluice/examples/quickstart/logback.xml");
        }
    }
}
