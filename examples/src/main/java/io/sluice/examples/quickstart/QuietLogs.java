package io.sluice.examples.quickstart;

/** Warnings alone, and on the standard error: these programs print what they do. */
final class QuietLogs {
    private static final String SETTING = "logback.configurationFile";

    private QuietLogs() {}

    /** To be called before anything logs; leaves a choice of the caller's alone. */
    static void choose() {
        if (System.getProperty(SETTING) == null) {
            System.setProperty(SETTING, "io/sluice/examples/quickstart/logback.xml");
        }
    }
}
