package io.sluice.testkit.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A {@link JavaProgram} that was started. When this JVM ends in good order it is killed; when this JVM is killed, it
 * goes on, as it does when it was frozen. Freezing needs a POSIX shell. Thread-safe. An interrupt ends any wait with an
 * {@link IllegalStateException}.
 */
public final class JavaProcess implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(3);
    private static final Duration END = Duration.ofMinutes(2);
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(100);
    private static final int SHOWN = 20;
    private static final String STOPPED = "stopped";
    /**
     * A shell script that stops a process, and resumes it when the shell's input ends: at the latest with this process.
     */
    private static final String HOLD = "kill -STOP $0 && echo " + STOPPED + " && read -r _; kill -CONT $0";

    private static final Set<JavaProcess> ALIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ALIVE.forEach(JavaProcess::close), "processes-end"));
    }

    private final String name;
    private final Process process;
    private final Path log;
    private @Nullable Process holder;

    JavaProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
        ALIVE.add(this);
        var unused = process.onExit().thenRun(() -> ALIVE.remove(this));
    }

    /** The program's name. */
    public String name() {
        return name;
    }

    /** The process's number. */
    public long pid() {
        return process.pid();
    }

    /** Whether it has neither ended nor been killed. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Fails when it has ended.
     *
     * @throws IllegalStateException with its last lines
     */
    public void requireAlive() {
        if (!process.isAlive()) {
            throw new IllegalStateException(name + " has ended with " + process.exitValue() + ", " + lastLines());
        }
    }

    /** All that it has printed, to either stream. */
    public List<String> lines() {
        try {
            // What is just being written may end within a character.
            return new String(Files.readAllBytes(log), UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it has printed a line that contains this. */
    public boolean hasPrinted(String part) {
        return line(part).isPresent();
    }

    private Optional<String> line(String part) {
        return lines().stream().filter(line -> line.contains(part)).findFirst();
    }

    /**
     * Waits until it has printed a line that contains this, and returns what follows in the line.
     *
     * @throws IllegalStateException with its last lines, when it ends before or takes minutes
     */
    public String awaitPrinted(String part) {
        long deadline = System.nanoTime() + START.toNanos();
        while (true) {
            boolean hasEnded = hasEndedWithin(CHECK_INTERVAL);
            Optional<String> line = line(part);
            if (line.isPresent()) {
                return line.get()
                        .substring(line.get().indexOf(part) + part.length())
                        .strip();
            }
            if (hasEnded) {
                requireAlive();
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(
                        name + " has not printed \"" + part + "\" within " + START + ", " + lastLines());
            }
        }
    }

    /** The end of its output, for a message about it. */
    public String lastLines() {
        List<String> lines = lines();
        List<String> last = lines.subList(Math.max(0, lines.size() - SHOWN), lines.size());
        return "see " + log + ", which ends so:\n" + String.join("\n", last).indent(4);
    }

    /** SIGSTOP: it stands still; returns when it does. Does nothing when it is frozen already. */
    public synchronized void freeze() {
        if (holder != null) {
            return;
        }
        try {
            Process shell = new ProcessBuilder("sh", "-c", HOLD, Long.toString(pid()))
                    .redirectErrorStream(true)
                    .start();
            String answer = shell.inputReader(UTF_8).readLine();
            if (!STOPPED.equals(answer)) {
                throw new IllegalStateException(name + " can't be stopped: " + answer);
            }
            holder = shell;
        } catch (IOException e) {
            throw new UncheckedIOException("no shell to stop " + name + " with", e);
        }
    }

    /** SIGCONT: it goes on, a zombie when others have taken over. Does nothing when it is not frozen. */
    public synchronized void resume() {
        Process shell = holder;
        holder = null;
        if (shell == null) {
            return;
        }
        try {
            shell.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException("the shell that keeps " + name + " stopped is gone", e);
        }
        waitFor(shell, END);
    }

    /** Whether it stands still. */
    public synchronized boolean isFrozen() {
        return holder != null;
    }

    /** SIGKILL: it has no chance to say good-bye. Returns when it is gone. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
        resume();
    }

    /** SIGTERM, and SIGKILL when it does not end within minutes; returns the exit code. */
    public int end() {
        process.destroy();
        if (!hasEndedWithin(END)) {
            kill();
        }
        return process.exitValue();
    }

    /**
     * Waits until it has ended; returns the exit code.
     *
     * @throws IllegalStateException with its last lines, when it takes minutes
     */
    public int awaitEnd() {
        if (!hasEndedWithin(END)) {
            throw new IllegalStateException(name + " does not end, " + lastLines());
        }
        return process.exitValue();
    }

    private boolean hasEndedWithin(Duration time) {
        return waitFor(process, time);
    }

    private boolean waitFor(Process other, Duration time) {
        try {
            return other.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + name, e);
        }
    }

    /** SIGKILL, in any state; does not wait. For good order see {@link #end}. */
    @Override
    public synchronized void close() {
        process.destroyForcibly();
        if (holder != null) {
            holder.destroyForcibly();
            holder = null;
        }
    }

    @Override
    public String toString() {
        return name + " (" + pid() + ")";
    }
}
