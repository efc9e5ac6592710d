package io.sluice.program;

/** Of an exception whose message is a whole sentence: {@link FailureReason} shows it without the class. */
public interface PlainMessage {}
