package io.sluice.emulator.document.binary;

import java.util.List;

/** The bytes that begin a value and say how it is written. Numbers and lengths are little-endian. */
final class Markers {
    /** Up to here a marker is the number itself. */
    static final int SYSTEM_STRINGS = 0x20;

    static final int USER_STRINGS = 0x40;
    /** From here on strings in compressed forms. */
    static final int COMPRESSED_STRINGS = 0x68;

    static final int BASE64 = 0x71;
    static final int BASE64_LONG = 0x72;
    static final int BASE64_URL = 0x73;
    static final int BASE64_URL_LONG = 0x74;
    static final int GUID_LOWER_CASE = 0x75;
    static final int GUID_UPPER_CASE = 0x76;
    static final int GUID_QUOTED = 0x77;
    static final int HEX_LOWER_CASE = 0x78;
    static final int HEX_UPPER_CASE = 0x79;
    static final int DATE_TIME = 0x7A;
    static final int PACKED_4_BITS = 0x7B;
    static final int PACKED_5_BITS = 0x7C;
    static final int PACKED_6_BITS = 0x7D;
    static final int PACKED_7_BITS = 0x7E;
    static final int PACKED_7_BITS_LONG = 0x7F;

    /** From here to {@link #STRING_1} the length is in the marker's low six bits. */
    static final int SHORT_STRINGS = 0x80;

    static final int STRING_1 = 0xC0;
    static final int STRING_2 = 0xC1;
    static final int STRING_4 = 0xC2;
    static final int REFERENCE_1 = 0xC3;
    static final int REFERENCE_2 = 0xC4;
    static final int REFERENCE_3 = 0xC5;
    static final int REFERENCE_4 = 0xC6;
    static final int NUMBER_UINT64 = 0xC7;
    static final int NUMBER_UINT8 = 0xC8;
    static final int NUMBER_INT16 = 0xC9;
    static final int NUMBER_INT32 = 0xCA;
    static final int NUMBER_INT64 = 0xCB;
    static final int NUMBER_DOUBLE = 0xCC;
    static final int FLOAT32 = 0xCD;
    static final int FLOAT64 = 0xCE;
    static final int NULL = 0xD0;
    static final int FALSE = 0xD1;
    static final int TRUE = 0xD2;
    static final int GUID = 0xD3;
    static final int UINT8 = 0xD7;
    static final int INT8 = 0xD8;
    static final int INT16 = 0xD9;
    static final int INT32 = 0xDA;
    static final int INT64 = 0xDB;
    static final int UINT32 = 0xDC;
    static final int BINARY_1 = 0xDD;
    static final int BINARY_2 = 0xDE;
    static final int BINARY_4 = 0xDF;
    static final int ARRAY_EMPTY = 0xE0;
    static final int ARRAY_SINGLE = 0xE1;
    static final int ARRAY_1 = 0xE2;
    static final int ARRAY_2 = 0xE3;
    static final int ARRAY_4 = 0xE4;
    static final int ARRAY_COUNTED_1 = 0xE5;
    static final int ARRAY_COUNTED_2 = 0xE6;
    static final int ARRAY_COUNTED_4 = 0xE7;
    static final int OBJECT_EMPTY = 0xE8;
    static final int OBJECT_SINGLE = 0xE9;
    static final int OBJECT_1 = 0xEA;
    static final int OBJECT_2 = 0xEB;
    static final int OBJECT_4 = 0xEC;
    static final int OBJECT_COUNTED_1 = 0xED;
    static final int OBJECT_COUNTED_2 = 0xEE;
    static final int OBJECT_COUNTED_4 = 0xEF;
    static final int NUMBERS_1 = 0xF0;
    static final int NUMBERS_2 = 0xF1;
    static final int ARRAYS_OF_NUMBERS_1 = 0xF2;
    static final int ARRAYS_OF_NUMBERS_2 = 0xF3;

    /** Strings with a marker of their own, from {@link #SYSTEM_STRINGS} on. */
    static final List<String> SYSTEM = List.of(
            "$s",
            "$t",
            "$v",
            "_attachments",
            "_etag",
            "_rid",
            "_self",
            "_ts",
            "attachments/",
            "coordinates",
            "geometry",
            "GeometryCollection",
            "id",
            "url",
            "Value",
            "label",
            "LineString",
            "link",
            "MultiLineString",
            "MultiPoint",
            "MultiPolygon",
            "name",
            "Name",
            "Type",
            "Point",
            "Polygon",
            "properties",
            "type",
            "value",
            "Feature",
            "FeatureCollection",
            "_id");

    private Markers() {}
}
