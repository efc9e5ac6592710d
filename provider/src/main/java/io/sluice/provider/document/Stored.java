package io.sluice.provider.document;

/** A document as it was read, with the version a conditional write must name. */
public record Stored<T>(T document, String etag) {}
