/** Readers of cluster topologies in the formats of Slurm, Kubernetes and NVIDIA. */
// The simulator and Slurm's module are compiled later, and Commons CSV has a module name but no
// descriptor.
@SuppressWarnings({"module", "requires-automatic"})
module io.github.liquidscheduler.formats {
  requires transitive io.github.liquidscheduler.api;
  requires static transitive org.jspecify;
  requires com.fasterxml.jackson.core;
  requires com.google.common;
  requires java.xml;
  requires org.apache.commons.csv;

  exports io.github.liquidscheduler.formats;
  exports io.github.liquidscheduler.formats.topology;
  exports io.github.liquidscheduler.formats.output;
  exports io.github.liquidscheduler.formats.input to
      io.github.liquidscheduler.simulator;
  exports io.github.liquidscheduler.formats.slurm to
      io.github.liquidscheduler.slurm;
}
