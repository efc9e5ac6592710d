/**
 * What Sluice costs and how fast it is: {@link Load} puts load on it, {@link Codec} and classes in the packages of what
 * they measure are JMH benchmarks. Requests are counted by a test.
 */
@NullMarked
package io.sluice.benchmarks;

import org.jspecify.annotations.NullMarked;
