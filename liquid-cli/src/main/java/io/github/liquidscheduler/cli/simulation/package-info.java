/** The options that commands share which simulate: trace, policy, conditions. */
@NullMarked
package io.github.liquidscheduler.cli.simulation;

import org.jspecify.annotations.NullMarked;
