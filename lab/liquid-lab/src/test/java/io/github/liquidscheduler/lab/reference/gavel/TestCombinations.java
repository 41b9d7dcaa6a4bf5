package io.github.liquidscheduler.lab.reference.gavel;

import io.github.liquidscheduler.simulator.trace.TraceJob;

/** Jobs of Gavel's rounds in few words. */
final class TestCombinations {

  private TestCombinations() {}

  static GavelJob job(int number, int gpus, long steps, double... speeds) {
    TraceJob job = TraceJob.builder(Integer.toString(number)).gpus(gpus).iterations(steps).build();
    return new GavelJob(job, number, steps, speeds);
  }

  static Combination alone(int number, int gpus, long steps, double... speeds) {
    return Combination.of(job(number, gpus, steps, speeds));
  }
}
