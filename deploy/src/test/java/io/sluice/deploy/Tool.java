package io.sluice.deploy;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A tool of others, which a machine may have or not. */
record Tool(Path path) {
    static Optional<Tool> onPath(String name) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .map(Tool::new)
                .findFirst();
    }

    /** Runs it in a folder; its standard error goes to the console. */
    Program.Run run(Path folder, String... args) throws IOException, InterruptedException {
        var command = Stream.concat(Stream.of(path.toString()), Stream.of(args)).toList();
        var process = new ProcessBuilder(List.copyOf(command))
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Program.Run(process.waitFor(), output);
    }

    /** The same, whose output is its standard error. */
    Program.Run complaint(Path folder, String... args) throws IOException, InterruptedException {
        var command = Stream.concat(Stream.of(path.toString()), Stream.of(args)).toList();
        var process = new ProcessBuilder(List.copyOf(command))
                .directory(folder.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        var complaint = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Program.Run(process.waitFor(), complaint);
    }
}
