package io.github.liquidscheduler.lab.reference.pollux.goodput;

/**
 * The throughput model of Pollux: computing takes a constant and a time for each sample,
 * synchronising a constant and a time for each GPU above two, of one node or of several. They
 * overlap as {@code overlap} says: the time of both is their norm of that order, the sum at 1,
 * nearly the longer at 10.
 *
 * @param compute computing, by sample
 * @param local synchronising within a node, by GPU above two
 * @param remote synchronising between nodes, by GPU above two
 * @param overlap the order of the norm, from 1 to 10
 */
record StepTimeModel(Line compute, Line local, Line remote, double overlap) {

  /** A straight line. */
  record Line(double constant, double slope) {

    double at(double x) {
      return constant + slope * x;
    }
  }

  double computing(int localBatch) {
    return compute.at(localBatch);
  }

  double synchronizing(int nodes, int gpus) {
    if (gpus == 1) {
      return 0;
    }
    return (nodes > 1 ? remote : local).at(gpus - 2);
  }

  /** Returns the time of a step without accumulation. */
  double step(int nodes, int gpus, int localBatch) {
    double computing = computing(localBatch);
    double synchronizing = synchronizing(nodes, gpus);
    double longer = Math.max(computing, synchronizing);
    double shorter = Math.min(computing, synchronizing);
    return shorter == 0
        ? longer
        : longer * Math.pow(1 + Math.pow(shorter / longer, overlap), 1 / overlap);
  }
}
