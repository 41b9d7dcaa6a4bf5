/** The option of simulations that measures forecast starts. */
@NullMarked
package io.github.liquidscheduler.cli.forecast;

import org.jspecify.annotations.NullMarked;
