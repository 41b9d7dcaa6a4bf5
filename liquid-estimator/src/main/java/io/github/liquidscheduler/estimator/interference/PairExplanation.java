package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.estimator.workload.JobVector;
import io.github.liquidscheduler.estimator.workload.LocalPair;
import io.github.liquidscheduler.text.Count;
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
        "; watched: %+.3f, leaves +- %.3f (this pair %s, victim in %s, co-runner in" + " %d)",
        answer.speed() - answer.base(),
        answer.error(),
        Count.of(pairs.times(pair), "time"),
        Count.of(pairs.pairsWith(pair.victim()), "pair"),
        pairs.pairsWith(pair.other()));
  }
}
