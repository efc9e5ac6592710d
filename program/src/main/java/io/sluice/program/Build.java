package io.sluice.program;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/**
 * What the programs were built from.
 *
 * @param version of the project
 * @param revision of the sources; empty where the build was not told
 */
public record Build(String version, String revision) {
    /** This program's. */
    public static final Build THIS = read();

    private static Build read() {
        Properties properties = new Properties();
        try (InputStream in = Build.class.getResourceAsStream("build.properties")) {
            if (in == null) {
                throw new IllegalStateException("the program lacks build.properties");
            }
            properties.load(in);
        } catch (IOException e) {
            throw new IllegalStateException("the program's build.properties can't be read", e);
        }
        return new Build(properties.getProperty("version", ""), properties.getProperty("revision", ""));
    }
}
