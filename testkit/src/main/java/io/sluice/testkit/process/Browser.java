package io.sluice.testkit.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A headless Chromium, if this machine has one. */
public final class Browser {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final int PATIENCE_SECONDS = 120;

    private final Path program;

    private Browser(Path program) {
        this.program = program;
    }

    /** The browser; a test that needs one is skipped where there is none. */
    public static Browser find() {
        var program = NAMES.stream()
                .map(name -> Path.of("/usr/bin", name))
                .filter(Files::isExecutable)
                .findFirst();
        Assumptions.assumeTrue(program.isPresent(), "no Chromium in /usr/bin: apt-get install chromium");
        return new Browser(program.orElseThrow());
    }

    /** The page's elements after its scripts have run and all requests were answered. */
    public String show(String url) throws IOException, InterruptedException {
        var profile = Files.createTempDirectory("sluice-browser");
        var out = Files.createTempFile("sluice-browser", ".html");
        var process = new ProcessBuilder(
                        program.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--user-data-dir=" + profile,
                        "--virtual-time-budget=20000",
                        "--dump-dom",
                        url)
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("The browser did not end within " + PATIENCE_SECONDS + " s");
        }
        return Files.readString(out, StandardCharsets.UTF_8);
    }
}
