/** Decides for a Slurm: reads its nodes and jobs, pins, releases, holds and requeues. */
module io.github.liquidscheduler.slurm {
  requires com.fasterxml.jackson.core;
  requires io.github.liquidscheduler.formats;
  requires transitive io.github.liquidscheduler.reconcile;
  requires static transitive org.jspecify;

  exports io.github.liquidscheduler.slurm;
  exports io.github.liquidscheduler.slurm.trial;
}
