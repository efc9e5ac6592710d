package io.sluice.benchmarks.documentation;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The files of this repository, without what builds make. */
final class Repository {
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Set<String> MADE = Set.of("target", ".git", "node_modules");

    private Repository() {}

    /** Those that fit, by their paths beneath the root, in order. */
    static List<Path> files(Predicate<Path> wanted) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                Path name = folder.getFileName();
                return name != null && MADE.contains(name.toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                Path beneath = ROOT.relativize(file);
                if (wanted.test(beneath)) {
                    found.add(beneath);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        found.sort(null);
        return found;
    }

    /** All pages. */
    static List<Page> pages() throws IOException {
        List<Page> pages = new ArrayList<>();
        for (Path file : files(path -> path.toString().endsWith(".md"))) {
            pages.add(Page.read(file));
        }
        return pages;
    }

    /** The text of a file. */
    static String text(Path beneath) throws IOException {
        return Files.readString(ROOT.resolve(beneath));
    }
}
