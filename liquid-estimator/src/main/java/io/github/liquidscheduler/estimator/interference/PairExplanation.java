package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.estimator.workload.JobVector;
import io.github.liquidscheduler.estimator.workload.LocalPair;
import java.util.Locale;

/** Says from what the prediction for one pair comes. */
final class PairExplanation {
  private PairExplanation() {}

  static String of(JobVector.Answer answer, GpuState known) {
    LocalPair pair = answer.classes();
    return String.format(
        Locale.ROOT,
        "beside %s: models %.3f +- %.3f%s%s",
        pair.other(),
        answer.base(),
        answer.promised(),
        watched(pair, answer, known.pairs()),
        known.drift().isDrifting() ? "; recent errors are larger than promised" : "");
  }

  private static String watched(LocalPair pair, JobVector.Answer answer, WatchedPairs pairs) {
    if (pairs.isEmpty()) {
      return "; nothing watched on this GPU model";
    }
    return String.format(
        Locale.ROOT,
        "; watched: %+.3f, leaves +- %.3f (this pair %d times, victim in %d pairs, co-runner in"
            + " %d)",
        answer.speed() - answer.base(),
        answer.error(),
        pairs.times(pair),
        pairs.pairsWith(pair.victim()),
        pairs.pairsWith(pair.other()));
  }
}
