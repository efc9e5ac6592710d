package io.sluice.relay.ledger.watch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What Linux tells of a process of ours in {@code /proc}. */
public final class ProcFiles {
    private static final Path PROC = Path.of("/proc");
    private static final String ESTABLISHED = "01";
    private static final String SOCKET = "socket:[";
    private static final int HEX = 16;

    private ProcFiles() {}

    /**
     * A look at a process.
     *
     * @param rssMegabytes of memory that is really there
     * @param sockets inodes of all sockets
     */
    public record Look(double rssMegabytes, int threads, int descriptors, Set<String> sockets) {}

    /** Looks at the process of that id. */
    public static Look look(long pid) {
        var folder = PROC.resolve(String.valueOf(pid));
        try {
            var status = Files.readAllLines(folder.resolve("status"));
            var sockets = new HashSet<String>();
            int descriptors = 0;
            try (DirectoryStream<Path> links = Files.newDirectoryStream(folder.resolve("fd"))) {
                for (var link : links) {
                    descriptors++;
                    addSocket(link, sockets);
                }
            }
            return new Look(number(status, "VmRSS:") / 1024.0, (int) number(status, "Threads:"), descriptors, sockets);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void addSocket(Path link, Set<String> sockets) throws IOException {
        try {
            var target = Files.readSymbolicLink(link).toString();
            if (target.startsWith(SOCKET)) {
                sockets.add(target.substring(SOCKET.length(), target.length() - 1));
            }
        } catch (NoSuchFileException e) {
            return; // closed since the folder was listed
        }
    }

    private static long number(List<String> status, String field) {
        return status.stream()
                .filter(line -> line.startsWith(field))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + field + " in " + status));
    }

    /** Inodes of all established connections of this machine one of whose ends has this port. */
    static Set<String> connectionsOf(int port) {
        var inodes = new HashSet<String>();
        for (var table : List.of("net/tcp", "net/tcp6")) {
            try (var lines = Files.lines(PROC.resolve(table))) {
                lines.skip(1).map(line -> line.strip().split("\\s+")).forEach(fields -> {
                    if (fields[3].equals(ESTABLISHED) && (port(fields[1]) == port || port(fields[2]) == port)) {
                        inodes.add(fields[9]);
                    }
                });
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return inodes;
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), HEX);
    }
}
