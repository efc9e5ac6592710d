package io.sluice.emulator.http;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The few forms of DER (ITU-T X.690) that a certificate is made of. */
final class Der {
    private static final DateTimeFormatter UTC_TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int CONSTRUCTED_CONTEXT = 0xA0;

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return primitive(0x30, joined(parts));
    }

    static byte[] set(byte[]... parts) {
        return primitive(0x31, joined(parts));
    }

    static byte[] tagged(int number, byte[] content) {
        return primitive(CONSTRUCTED_CONTEXT + number, content);
    }

    static byte[] integer(BigInteger value) {
        return primitive(0x02, value.toByteArray());
    }

    static byte[] octets(byte[] content) {
        return primitive(0x04, content);
    }

    static byte[] bits(byte[] content) {
        return primitive(0x03, joined(new byte[] {0}, content));
    }

    static byte[] text(String value) {
        return primitive(0x0C, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Before 2050. */
    static byte[] time(Instant value) {
        return primitive(0x17, UTC_TIME.format(value).getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] oid(int first, int second, int... further) {
        var out = new ByteArrayOutputStream();
        out.write(40 * first + second);
        for (int arc : further) {
            for (int shift = 28; shift > 0; shift -= 7) {
                if (arc >>> shift != 0) {
                    out.write(0x80 | ((arc >>> shift) & 0x7F));
                }
            }
            out.write(arc & 0x7F);
        }
        return primitive(0x06, out.toByteArray());
    }

    static byte[] primitive(int tag, byte[] content) {
        var out = new ByteArrayOutputStream(content.length + 6);
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else {
            var length = BigInteger.valueOf(content.length).toByteArray();
            int sign = length[0] == 0 ? 1 : 0;
            out.write(0x80 | (length.length - sign));
            out.write(length, sign, length.length - sign);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (var part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
