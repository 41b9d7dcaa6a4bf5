/** A Slurm to try things on: {@link io.github.liquidscheduler.slurm.trial.PrivateSlurm}. */
@NullMarked
package io.github.liquidscheduler.slurm.trial;

import org.jspecify.annotations.NullMarked;
