/** A program that says which of our assumptions an Azure Cosmos DB account keeps. */
@NullMarked
package io.sluice.accountkit;

import org.jspecify.annotations.NullMarked;
