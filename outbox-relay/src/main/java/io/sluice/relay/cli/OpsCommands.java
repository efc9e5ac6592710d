package io.sluice.relay.cli;

import io.sluice.program.cli.OpsCalls;
import io.sluice.program.http.OpsPort;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Commands that pause and resume a running relay over its HTTP port. */
public final class OpsCommands {
    private OpsCommands() {}

    /** Sends a request about one pipeline, or all. */
    private abstract static class PipelineCommand implements Callable<Integer> {
        @Mixin
        private final OpsCalls calls;

        @Parameters(paramLabel = "PIPELINE", description = "intents, events, commands or all")
        private String pipeline = "";

        private final String path;

        private PipelineCommand(Supplier<OpsPort> port, String path) {
            this.calls = new OpsCalls("relay", port);
            this.path = path;
        }

        @Override
        public Integer call() throws InterruptedException {
            return calls.send("POST", path + encoded(pipeline));
        }

        /** As a segment of a path. */
        private static String encoded(String part) {
            return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
        }
    }

    /** Pauses a running relay. */
    @Command(name = "pause", description = "Pauses a pipeline of a running relay until it is resumed or restarted.")
    public static final class Pause extends PipelineCommand {
        public Pause(Supplier<OpsPort> port) {
            super(port, "/pause/");
        }
    }

    /** Resumes a paused relay. */
    @Command(name = "resume", description = "Resumes a paused pipeline of a running relay.")
    public static final class Resume extends PipelineCommand {
        public Resume(Supplier<OpsPort> port) {
            super(port, "/resume/");
        }
    }
}
