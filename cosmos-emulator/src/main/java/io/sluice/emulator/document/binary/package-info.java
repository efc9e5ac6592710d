/** The service's binary JSON, which some SDKs send and take in place of text. */
@NullMarked
package io.sluice.emulator.document.binary;

import org.jspecify.annotations.NullMarked;
