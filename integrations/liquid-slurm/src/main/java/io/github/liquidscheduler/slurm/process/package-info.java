/** Slurm's commands, as processes. Not exported. */
@NullMarked
package io.github.liquidscheduler.slurm.process;

import org.jspecify.annotations.NullMarked;
