/** The {@code liquid} command line; {@link io.github.liquidscheduler.cli.LiquidCommand} is it. */
@NullMarked
package io.github.liquidscheduler.cli;

import org.jspecify.annotations.NullMarked;
