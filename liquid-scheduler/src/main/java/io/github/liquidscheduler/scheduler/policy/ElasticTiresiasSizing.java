package io.github.liquidscheduler.scheduler.policy;

import java.util.Map;
import java.util.TreeMap;

/** Compaction and expansion of Elastic-Tiresias (EDL). */
record ElasticTiresiasSizing(double keptFraction, double leastGain) implements SizingPolicy {

  ElasticTiresiasSizing {
    if (!(keptFraction >= 0 && keptFraction <= 1 && leastGain >= 0)) {
      throw new IllegalArgumentException(
          "the fraction kept must be from 0 to 1 and the least gain at least 0, but were %s and %s"
              .formatted(keptFraction, leastGain));
    }
  }

  @Override
  public String name() {
    return "elastic-tiresias";
  }

  @Override
  public Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    parameters.put("keptFraction", Double.toString(keptFraction));
    parameters.put("leastGain", Double.toString(leastGain));
    return parameters;
  }

  @Override
  public int floor(Candidate job, boolean manyWait) {
    int preferred = job.job().parallelism().preferred();
    return manyWait && job.policyState().level() > 0
        ? (int) Math.ceil(keptFraction * preferred)
        : preferred;
  }

  @Override
  public double gain(Candidate job, int from, int to) {
    return (job.speedup(to) - job.speedup(from)) / (to - from) - leastGain;
  }
}
