package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the compose file's first job makes, used as the others use it: by the emulator, and by programs that trust it.
 */
class PrepareIT {
    @TempDir
    Path folder;

    private void prepare() throws IOException, InterruptedException {
        var process = new ProcessBuilder(
                        "sh", Repository.path("deploy/compose/prepare.sh").toString(), folder.toString())
                .redirectErrorStream(true)
                .start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    @Test
    void the_emulator_shows_the_certificate_and_who_has_the_store_trusts_it() throws Exception {
        assumeTrue(
                Tool.onPath("openssl").isPresent() && Tool.onPath("keytool").isPresent(),
                "the image has openssl and keytool, this machine lacks one");
        prepare();
        var config = EmulatorConfig.inMemory()
                .withListenAddress("0.0.0.0")
                .withTls(folder.resolve("cosmos.pem"), folder.resolve("cosmos-key.pem"));
        try (var emulator = CosmosEmulator.start(config)) {
            var url = emulator.endpoint().replace("127.0.0.1", "localhost");

            assertThat(Program.run(
                            Program.EMULATOR,
                            List.of("-Djavax.net.ssl.trustStore=" + folder.resolve("trust.jks")),
                            "--health",
                            url))
                    .returns(0, Program.Run::code);
            assertThat(Program.run(Program.EMULATOR, List.of(), "--health", url))
                    .returns(1, Program.Run::code)
                    .extracting(Program.Run::output)
                    .asString()
                    .contains("SSLHandshakeException");
        }
    }

    @Test
    void it_is_made_once_and_secrets_are_their_owner_s() throws Exception {
        assumeTrue(
                Tool.onPath("openssl").isPresent() && Tool.onPath("keytool").isPresent(),
                "the image has openssl and keytool, this machine lacks one");
        prepare();
        var token = Files.readString(folder.resolve("ops-token"));
        var certificate = Files.readString(folder.resolve("cosmos.pem"));

        prepare();

        assertThat(folder.resolve("ops-token")).hasContent(token);
        assertThat(folder.resolve("cosmos.pem")).hasContent(certificate);
        assertThat(token.strip()).matches("[0-9a-f]{64}");
        for (var secret : List.of("ops-token", "cosmos-key.pem")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(secret))))
                    .isEqualTo("rw-------");
        }
    }
}
