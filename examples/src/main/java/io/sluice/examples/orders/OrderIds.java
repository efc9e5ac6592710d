package io.sluice.examples.orders;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A set of order ids in a folder, one empty file each: every process of this machine sees it, and what a process added
 * is there after it was killed.
 */
final class OrderIds {
    private final Path folder;

    OrderIds(Path folder) {
        this.folder = folder;
    }

    /** Adds an id; adding it again does nothing. */
    void add(String orderId) {
        try {
            Files.createDirectories(folder);
            Files.write(file(orderId), new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException("order " + orderId + " can't be recorded in " + folder, e);
        }
    }

    void remove(String orderId) {
        try {
            Files.deleteIfExists(file(orderId));
        } catch (IOException e) {
            throw new UncheckedIOException("order " + orderId + " can't be removed from " + folder, e);
        }
    }

    boolean contains(String orderId) {
        return Files.exists(file(orderId));
    }

    /** What it holds now. */
    Set<String> all() {
        if (!Files.exists(folder)) {
            return Set.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> URLDecoder.decode(file.getFileName().toString(), StandardCharsets.UTF_8))
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException("the orders in " + folder + " can't be read", e);
        }
    }

    private Path file(String orderId) {
        return folder.resolve(URLEncoder.encode(orderId, StandardCharsets.UTF_8));
    }
}
