/** What a query's filter and order demand of the values in a document, in terms an index can answer. */
@NullMarked
package io.sluice.emulator.query.demand;

import org.jspecify.annotations.NullMarked;
