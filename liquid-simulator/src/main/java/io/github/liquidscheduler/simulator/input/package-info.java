/**
 * Foreign text files: {@link io.github.liquidscheduler.simulator.input.Rows} reads their columns,
 * and an {@link io.github.liquidscheduler.simulator.input.InputFormatException} names the place and
 * the broken rule.
 */
@NullMarked
package io.github.liquidscheduler.simulator.input;

import org.jspecify.annotations.NullMarked;
