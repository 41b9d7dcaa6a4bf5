/**
 * The configuration files of Slurm as text: {@link
 * io.github.liquidscheduler.formats.slurm.SlurmLines} divides them into words.
 */
@NullMarked
package io.github.liquidscheduler.formats.slurm;

import org.jspecify.annotations.NullMarked;
