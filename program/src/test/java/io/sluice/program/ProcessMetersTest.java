package io.sluice.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProcessMetersTest {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @Test
    void the_jvm_the_process_and_the_build_are_measured() {
        try (ProcessMeters meters = new ProcessMeters(registry)) {
            assertThat(meters).isNotNull();
            assertThat(registry.scrape())
                    .contains(
                            "jvm_memory_used_bytes{area=\"heap\"",
                            "jvm_threads_live_threads ",
                            "jvm_info{",
                            "process_cpu_usage ",
                            "process_uptime_seconds ",
                            "process_files_open_files ")
                    .containsPattern(
                            "sluice_build_info\\{(revision=\"[^\"]+\",)?version=\"\\d+\\.\\d+\\.\\d+[^\"]*\"} 1\\n");
        }
    }

    @Test
    void the_page_on_metrics_names_them() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "metrics.md"));

        assertThat(page).contains("`jvm.*`", "`process.*`", "`system.*`", "`sluice.build.info`");
        try (ProcessMeters meters = new ProcessMeters(registry)) {
            assertThat(meters).isNotNull();
            assertThat(registry.getMeters())
                    .allSatisfy(meter -> assertThat(meter.getId().getName())
                            .matches("(jvm|process|system)\\..*|sluice\\.build\\.info"));
        }
    }

    @Test
    void the_build_says_its_version_as_its_project_does() throws IOException {
        assertThat(Build.THIS.version()).matches("\\d+\\.\\d+\\.\\d+.*");
        assertThat(Files.readString(Path.of("pom.xml"))).contains("<version>" + Build.THIS.version() + "</version>");
        assertThat(Build.THIS.revision()).doesNotContain("$");
    }
}
