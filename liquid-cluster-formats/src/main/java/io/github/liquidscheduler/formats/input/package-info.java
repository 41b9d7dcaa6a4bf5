/**
 * Text files of unknown origin: {@link io.github.liquidscheduler.formats.input.Rows} reads their
 * columns, {@link io.github.liquidscheduler.formats.input.JsonRecords} their objects.
 */
@NullMarked
package io.github.liquidscheduler.formats.input;

import org.jspecify.annotations.NullMarked;
