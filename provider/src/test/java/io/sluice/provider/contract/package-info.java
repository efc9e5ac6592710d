/**
 * What any store of the contract must do, as abstract test classes: one per category, one test per row of the
 * contract's table of scenarios. A store's own tests extend them.
 */
@NullMarked
package io.sluice.provider.contract;

import org.jspecify.annotations.NullMarked;
