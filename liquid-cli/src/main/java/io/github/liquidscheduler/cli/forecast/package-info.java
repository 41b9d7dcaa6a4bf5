/** How well starts are foreseen, asked by an option of simulations. */
@NullMarked
package io.github.liquidscheduler.cli.forecast;

import org.jspecify.annotations.NullMarked;
