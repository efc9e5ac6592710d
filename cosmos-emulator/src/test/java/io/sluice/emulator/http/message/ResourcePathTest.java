package io.sluice.emulator.http.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.emulator.document.StatusException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourcePathTest {
    @ParameterizedTest
    @CsvSource({
        "/,'','',''",
        "/dbs,dbs,dbs,''",
        "/dbs/d,dbs,dbs,dbs/d",
        "/dbs/d/colls/c/docs,dbs/colls/docs,docs,dbs/d/colls/c",
        "/dbs/d/colls/c/docs/i,dbs/colls/docs,docs,dbs/d/colls/c/docs/i",
        "//dbs/d/,dbs,dbs,dbs/d",
        "http://host:1/dbs/d?x=/y,dbs,dbs,dbs/d"
    })
    void a_target_names_a_resource(String target, String shape, String type, String link) {
        var path = ResourcePath.parse(target);

        assertThat(path.shape()).isEqualTo(shape);
        assertThat(path.resourceType()).isEqualTo(type);
        assertThat(path.signedLink()).isEqualTo(link);
    }

    @Test
    void names_are_decoded_and_a_plus_is_a_plus() {
        assertThat(ResourcePath.parse("/dbs/a%20b/colls/c%2Fd/docs/x+y%C3%BC").segments())
                .containsExactly("dbs", "a b", "colls", "c/d", "docs", "x+yü");
    }

    @Test
    void a_broken_escape_is_refused() {
        assertThatThrownBy(() -> ResourcePath.parse("/dbs/a%2")).isInstanceOf(StatusException.class);
        assertThatThrownBy(() -> ResourcePath.parse("/dbs/a%zz")).isInstanceOf(StatusException.class);
    }
}
