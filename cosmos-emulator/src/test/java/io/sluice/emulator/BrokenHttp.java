package io.sluice.emulator;

import static io.sluice.emulator.RandomText.flipped;
import static io.sluice.emulator.RandomText.pick;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** Breaks the HTTP of a request: its request line, headers, length or chunks, or any bytes of the head. */
final class BrokenHttp {
    private BrokenHttp() {}

    static byte[] draw(byte[] request, SplittableRandom random) {
        var good = new String(request, StandardCharsets.ISO_8859_1);
        int way = random.nextInt(12);
        var broken = switch (way) {
            case 0, 1 -> requestLine(way, good, random);
            case 2, 3, 4, 5, 6 -> length(way, good, random);
            default -> head(way, good, random);
        };
        return broken.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String requestLine(int way, String good, SplittableRandom random) {
        var line = good.substring(0, good.indexOf('\r'));
        return switch (way) {
            case 0 ->
                good.replaceFirst(
                        "HTTP/1.1", pick(random, "HTTP/9.9", "HTTP/1.0", "HTCPCP/1.0", "", "HTTP/", "HTTP/1.1 extra"));
            default ->
                good.replace(
                        line,
                        pick(
                                random,
                                "",
                                " ",
                                "GET",
                                "GET /",
                                line + line,
                                line.replace(" ", ""),
                                "\u0000" + line,
                                "/ GET HTTP/1.1",
                                line.replace("/", "\\")));
        };
    }

    private static String length(int way, String good, SplittableRandom random) {
        return switch (way) {
            case 2 ->
                good.replaceFirst(
                        "content-length: \\d+",
                        "content-length: " + pick(random, "-1", "x", "99999999999999999999", "5, 6", "", "0x10", " "));
            case 3 -> good.replaceFirst("content-length: \\d+", "content-length: " + random.nextInt(0, 400));
            case 4 ->
                good.replaceFirst("content-length: \\d+", "transfer-encoding: chunked")
                        + pick(
                                random,
                                "",
                                "zz\r\n",
                                "5\r\nabc",
                                "-1\r\n\r\n",
                                "ffffffffffff\r\n",
                                "0\r\n\r\n",
                                "3\r\nabcdef\r\n0\r\n\r\n");
            case 5 ->
                good.replaceFirst(
                        "content-length: \\d+",
                        "$0\r\ntransfer-encoding: " + pick(random, "chunked", "gzip", "identity", "chunked, chunked"));
            default -> good.replaceFirst("content-length: \\d+", "$0\r\n$0\r\ncontent-length: " + random.nextInt(99));
        };
    }

    private static String head(int way, String good, SplittableRandom random) {
        int headEnd = good.indexOf("\r\n\r\n");
        return switch (way) {
            case 7 ->
                good.replaceFirst(
                        "\r\n",
                        "\r\n"
                                + pick(
                                        random,
                                        ": empty\r\n",
                                        "no colon\r\n",
                                        " folded\r\n",
                                        "na me: x\r\n",
                                        "a\u0000b: c\r\n",
                                        "x: a\u0000b\r\n",
                                        "x: y\n",
                                        "x: y\r",
                                        "\u00e9: \u00e9\r\n"));
            case 8 -> good.replaceFirst("\r\n", "\r\nx-long: " + "y".repeat(random.nextInt(200_000)) + "\r\n");
            case 9 -> "GET /" + "z".repeat(random.nextInt(70_000)) + " HTTP/1.1\r\n\r\n";
            case 10 -> good.substring(0, random.nextInt(good.length()));
            default ->
                new String(
                                flipped(random, good.substring(0, headEnd).getBytes(StandardCharsets.ISO_8859_1), (byte)
                                        random.nextInt(256)),
                                StandardCharsets.ISO_8859_1)
                        + good.substring(headEnd);
        };
    }
}
