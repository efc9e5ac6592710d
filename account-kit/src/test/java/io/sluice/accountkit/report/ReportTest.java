package io.sluice.accountkit.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final Setup SETUP = new Setup("1.0", "direct", 2, "Session", 1);

    private static Report report(String detail) {
        return new Report(
                SETUP,
                List.of(
                        new Finding("a | b", "1 RU", "a page", Outcome.differs(detail)),
                        new Finding("c", "2 RU", "a page", Outcome.notTried("no\nreason")),
                        new Finding("d", "3 RU", "a page", Outcome.holds("3 RU"))),
                Secrecy.of("https://my-shop.documents.azure.com:443/", "c2VjcmV0", "sluice-account-kit-1"));
    }

    @Test
    void a_table_names_no_account_key_or_database() {
        var report = report("400 of https://my-shop.documents.azure.com:443/dbs/sluice-account-kit-1, by host"
                + " my-shop-westus.documents.azure.com with c2VjcmV0");

        assertThat(List.of(report.text(), report.markdown(), report.json()))
                .allSatisfy(table -> assertThat(table)
                        .contains("400 of …", "by host …")
                        .doesNotContain("my-shop", "c2VjcmV0", "sluice-account-kit-1"));
    }

    @Test
    void an_address_hides_no_figures() {
        assertThat(Secrecy.of("http://127.0.0.1:8081/").hidden("127 RU at 127.0.0.1:8081"))
                .isEqualTo("127 RU at …:8081");
    }

    @Test
    void each_row_of_the_markdown_is_one_line_of_five_cells() {
        assertThat(report("5 RU").markdown())
                .contains("| DIFFERS | a \\| b | 1 RU | 5 RU | a page |\n"
                        + "| NOT TRIED | c | 2 RU | no reason | a page |\n");
    }

    @Test
    void the_sum_counts_each_word() {
        assertThat(report("5 RU").sum()).isEqualTo("1 DIFFERS, 1 HOLDS, 1 NOT TRIED");
    }

    @Test
    void the_text_says_what_was_measured_or_why_nothing_was() {
        assertThat(report("5 RU").text())
                .contains("requests: direct", "DIFFERS    a | b", "measured  5 RU", "because   no\nreason");
    }
}
