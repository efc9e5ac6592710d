package io.sluice.program.cli;

import io.sluice.program.Build;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: the version, and the revision of the sources where it is known. */
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        Build build = Build.THIS;
        return new String[] {
            build.revision().isEmpty() ? build.version() : build.version() + " (" + build.revision() + ")"
        };
    }
}
