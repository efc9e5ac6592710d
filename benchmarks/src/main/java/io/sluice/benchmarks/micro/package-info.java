/**
 * What single steps cost, by JMH. Steps that a module keeps to itself are measured from its own packages; this module
 * has classes there for that alone.
 */
@NullMarked
package io.sluice.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
