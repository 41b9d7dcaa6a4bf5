/**
 * Text files that somebody else wrote: {@link io.github.liquidscheduler.simulator.input.Rows} reads
 * their columns, and an {@link io.github.liquidscheduler.simulator.input.InputFormatException} says
 * where which rule is broken.
 */
@NullMarked
package io.github.liquidscheduler.simulator.input;

import org.jspecify.annotations.NullMarked;
