package io.sluice.provider.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.provider.json.Vector;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SemanticVersionTest {
    static Stream<Vector> packings() {
        return Vector.all("version-packing.json");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("packings")
    void packs_and_unpacks_as_rust_does(Vector vector) {
        SemanticVersion version =
                SemanticVersion.parse(vector.value("json").path("version").textValue());

        long packed = version.packed();

        assertThat(packed).isEqualTo(vector.value("json").path("packed").longValue());
        assertThat(SemanticVersion.fromPacked(packed))
                .hasToString(vector.value("json").path("unpacked").textValue());
        assertThat(SemanticVersion.fromPacked(packed).equals(version))
                .as("lossless")
                .isEqualTo(vector.value("lossless").booleanValue());
    }

    @Test
    void is_ordered_as_semantic_versioning_says() {
        var ascending = Stream.of(
                        "0.1.9",
                        "0.1.10",
                        "1.0.0-alpha",
                        "1.0.0-alpha.1",
                        "1.0.0-alpha.beta",
                        "1.0.0-beta",
                        "1.0.0-beta.2",
                        "1.0.0-beta.11",
                        "1.0.0-rc.1",
                        "1.0.0",
                        "1.0.1-0",
                        "2.0.0")
                .map(SemanticVersion::parse)
                .toList();

        for (int i = 0; i < ascending.size(); i++) {
            for (int j = 0; j < ascending.size(); j++) {
                assertThat(Integer.signum(ascending.get(i).compareTo(ascending.get(j))))
                        .as("%s against %s", ascending.get(i), ascending.get(j))
                        .isEqualTo(Integer.signum(Integer.compare(i, j)));
            }
        }
    }

    @Test
    void a_build_part_has_no_rank_but_is_kept() {
        var plain = SemanticVersion.parse("1.2.3");
        var built = SemanticVersion.parse("1.2.3+linux.5");

        assertThat(plain.compareTo(built)).isZero();
        assertThat(built).isNotEqualTo(plain).hasToString("1.2.3+linux.5");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "1.2",
                "1.2.3.4",
                "v1.2.3",
                "01.2.3",
                "1.2.-3",
                "1.2.3-",
                "1.2.3-01",
                "1.2.3-a..b",
                "1.2.3+",
                "1.2.3 ",
                "1.2.３",
                "9223372036854775808.0.0"
            })
    void what_is_no_version_is_refused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> SemanticVersion.parse(text));
    }

    @Test
    void a_version_that_does_not_fit_is_not_packed() {
        assertThatExceptionOfType(ArithmeticException.class)
                .isThrownBy(() -> SemanticVersion.of(Long.MAX_VALUE, 0, 0).packed());
    }

    @Test
    void negative_parts_and_packings_are_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> SemanticVersion.of(0, -1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> SemanticVersion.fromPacked(-1));
    }

    @Test
    void equal_versions_sort_as_equal() {
        assertThat(List.of(SemanticVersion.of(1, 2, 3))).contains(SemanticVersion.parse("1.2.3"));
    }
}
