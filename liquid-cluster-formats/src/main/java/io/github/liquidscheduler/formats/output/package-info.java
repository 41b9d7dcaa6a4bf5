/** Tables that are written: {@link io.github.liquidscheduler.formats.output.CsvWriter}. */
@NullMarked
package io.github.liquidscheduler.formats.output;

import org.jspecify.annotations.NullMarked;
