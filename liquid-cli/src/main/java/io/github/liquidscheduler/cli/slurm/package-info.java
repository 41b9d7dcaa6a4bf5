/** The daemon that decides for a Slurm, and what operators ask it. */
@NullMarked
package io.github.liquidscheduler.cli.slurm;

import org.jspecify.annotations.NullMarked;
