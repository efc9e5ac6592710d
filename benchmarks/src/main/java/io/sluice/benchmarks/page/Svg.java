package io.sluice.benchmarks.page;

import java.util.Locale;

/**
 * A picture in the making. Written here because the chart libraries of Java draw through AWT: their texts depend on the fonts of the machine, and their colours can't
 * follow the reader's theme.
 */
final class Svg {
    /** Colours of series before they begin anew. */
    static final int COLOURS = 8;

    private static final String STYLE = """
              <style>
                .page { fill: #ffffff; }
                text { font: 12px ui-sans-serif, system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
                .title { font-weight: 600; font-size: 14px; }
                .soft { fill: #57606a; }
                .middle { text-anchor: middle; }
                .end { text-anchor: end; }
                .grid { stroke: #d8dee4; stroke-width: 1; }
                .axis { stroke: #57606a; stroke-width: 1.2; }
                .budget { stroke: #cf222e; stroke-width: 1.5; stroke-dasharray: 6 4; }
                .over { fill: #cf222e; }
                .line { fill: none; stroke: var(--s); stroke-width: 2; stroke-linejoin: round; }
                .whisker { fill: none; stroke: var(--s); stroke-width: 1.4; opacity: 0.65; }
                .across { fill: none; stroke: #1f2328; stroke-width: 1.2; }
                .mark { fill: var(--s); }
                .bar { fill: var(--s); opacity: 0.8; }
                .s0 { --s: #0969da; } .s1 { --s: #bc4c00; } .s2 { --s: #1a7f37; } .s3 { --s: #8250df; }
                .s4 { --s: #bf3989; } .s5 { --s: #9a6700; } .s6 { --s: #57606a; } .s7 { --s: #cf222e; }
                @media (prefers-color-scheme: dark) {
                  .page { fill: #0d1117; }
                  text { fill: #e6edf3; }
                  .soft { fill: #9198a1; }
                  .grid { stroke: #30363d; }
                  .axis { stroke: #8b949e; }
                  .across { stroke: #e6edf3; }
                  .budget { stroke: #ff7b72; }
                  .over { fill: #ff7b72; }
                  .s0 { --s: #58a6ff; } .s1 { --s: #f0883e; } .s2 { --s: #3fb950; } .s3 { --s: #bc8cff; }
                  .s4 { --s: #f778ba; } .s5 { --s: #d29922; } .s6 { --s: #8b949e; } .s7 { --s: #ff7b72; }
                }
              </style>
            """;

    private final StringBuilder text = new StringBuilder();

    Svg(int width, int height, String title) {
        text.append(format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-labelledby=\"title\">%n",
                width, height, width, height));
        text.append("  <title id=\"title\">").append(escaped(title)).append("</title>\n");
        text.append(STYLE);
        text.append(format("  <rect class=\"page\" width=\"%d\" height=\"%d\"/>%n", width, height));
    }

    Svg line(String style, double x1, double y1, double x2, double y2) {
        text.append(format(
                "  <line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>%n", style, x1, y1, x2, y2));
        return this;
    }

    Svg path(String style, String data) {
        text.append(format("  <path class=\"%s\" d=\"%s\"/>%n", style, data));
        return this;
    }

    Svg rectangle(String style, double x, double y, double width, double height) {
        text.append(format(
                "  <rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>%n",
                style, x, y, width, height));
        return this;
    }

    Svg text(String style, double x, double y, String words) {
        text.append(format("  <text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>%n", style, x, y, escaped(words)));
        return this;
    }

    /** From below to above. */
    Svg upright(String style, double x, double y, String words) {
        text.append(format(
                "  <text class=\"%s\" transform=\"translate(%.1f %.1f) rotate(-90)\">%s</text>%n",
                style, x, y, escaped(words)));
        return this;
    }

    /** A mark of a series: each has a form of its own, for who can't tell its colour. */
    Svg mark(int series, double x, double y) {
        var form = switch (series % 4) {
            case 0 -> "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z";
            case 1 -> "m-3.6 -3.6h7.2v7.2h-7.2z";
            case 2 -> "m0 -4.8l4.6 8.2h-9.2z";
            default -> "m0 -5l5 5l-5 5l-5 -5z";
        };
        return path("mark " + colour(series), format("M%.1f %.1f", x, y) + form);
    }

    static String colour(int series) {
        return "s" + series % COLOURS;
    }

    /** A text of small letters, about. */
    static double width(String words) {
        return words.length() * 6.5;
    }

    @Override
    public String toString() {
        return text + "</svg>\n";
    }

    static String format(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments).replace(System.lineSeparator(), "\n");
    }

    private static String escaped(String words) {
        return words.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("`", "");
    }
}
