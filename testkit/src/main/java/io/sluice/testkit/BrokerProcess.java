package io.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@link BrokerProgram} in a JVM of its own, which can be frozen. When this process ends, a frozen broker is resumed,
 * so that it notices and ends too. Not thread-safe.
 */
final class BrokerProcess implements AutoCloseable {
    private static final String HEAP = "-Xmx256m";
    private static final String STOPPED = "stopped";
    /**
     * A shell script that stops a process, and resumes it when the shell's input ends: at the latest with this process.
     */
    private static final String HOLD = "kill -STOP $0 && echo " + STOPPED + " && read -r _; kill -CONT $0";

    private final Process process;
    private final Path log;
    private @Nullable Process holder;

    private BrokerProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts the process; returns before the broker answers.
     *
     * @param settings file with the broker's settings
     * @param log file to which its output is appended
     */
    static BrokerProcess start(Path settings, Path log) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder builder = new ProcessBuilder(
                java,
                HEAP,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                BrokerProgram.class.getName(),
                settings.toString());
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        try {
            return new BrokerProcess(builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException("a broker can't be started as a process", e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    boolean isFrozen() {
        return holder != null;
    }

    /** SIGSTOP; returns when the process is stopped. */
    void freeze() {
        if (holder != null) {
            return;
        }
        try {
            Process shell = new ProcessBuilder(List.of("sh", "-c", HOLD, Long.toString(pid())))
                    .redirectErrorStream(true)
                    .start();
            String answer = shell.inputReader(StandardCharsets.UTF_8).readLine();
            if (!STOPPED.equals(answer)) {
                throw new IllegalStateException("process " + pid() + " can't be stopped: " + answer);
            }
            holder = shell;
        } catch (IOException e) {
            throw new UncheckedIOException("no shell to stop a process with", e);
        }
    }

    /** SIGCONT; does nothing when it is not stopped. */
    void resume() throws InterruptedException {
        Process shell = holder;
        holder = null;
        if (shell == null) {
            return;
        }
        try {
            shell.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException("the shell that keeps process " + pid() + " stopped is gone", e);
        }
        shell.waitFor();
    }

    /** SIGKILL; returns when it is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
        resume();
    }

    /** The end of its output, for an error message. */
    String lastLines() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
        } catch (IOException e) {
            return "its output can't be read: " + e;
        }
    }

    /** Kills it in any state; does not wait. */
    @Override
    public void close() {
        process.destroyForcibly();
        if (holder != null) {
            holder.destroyForcibly();
        }
    }
}
