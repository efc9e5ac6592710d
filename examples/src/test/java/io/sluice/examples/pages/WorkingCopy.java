package io.sluice.examples.pages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The repository as a page's commands see it: links to its files. What commands make in {@code target} of the root is
 * this copy's own.
 */
final class WorkingCopy implements AutoCloseable {
    private static final Set<String> LEFT_OUT = Set.of(".git", ".m2", "target");

    private final Path folder;
    private final List<Path> links = new ArrayList<>();

    /**
     * Makes the links.
     *
     * @param root of the repository
     * @param folder to be made
     */
    WorkingCopy(Path root, Path folder) throws IOException {
        this.folder = Files.createDirectory(folder);
        try (Stream<Path> files = Files.list(root)) {
            for (Path file : files.toList()) {
                if (!LEFT_OUT.contains(file.getFileName().toString())) {
                    links.add(Files.createSymbolicLink(folder.resolve(file.getFileName()), file));
                }
            }
        }
    }

    Path folder() {
        return folder;
    }

    /** Removes the links alone. */
    @Override
    public void close() throws IOException {
        for (Path link : links) {
            Files.delete(link);
        }
    }
}
