package io.sluice.relay.feed;

import java.time.Duration;

/**
 * How fast the change feed is read.
 *
 * @param pageSize documents requested per page
 * @param shortest interval between two reads after activity
 * @param longest interval between two reads while nothing changes
 */
public record ReadPace(int pageSize, Duration shortest, Duration longest) {}
