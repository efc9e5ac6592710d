package io.sluice.provider.cosmos.activity;

import java.util.random.RandomGenerator;

/**
 * How sessions are kept and cleaned up.
 *
 * @param atOnce to how many instances one operation writes at one time; with one it starts no threads
 * @param random says where a process begins, so that several are at different places
 */
public record SessionSettings(int atOnce, RandomGenerator random) {}
