/**
 * The main job: order fulfilment over the whole pipeline on one machine..
 */
@NullMarked
package io.sluice.examples;

import org.jspecify.annotations.NullMarked;
