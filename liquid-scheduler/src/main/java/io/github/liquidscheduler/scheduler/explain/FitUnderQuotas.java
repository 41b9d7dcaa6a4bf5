package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduler.quota.QuotaExcess;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds what a job would have to change for its quotas, whatever other jobs hold. */
final class FitUnderQuotas {

  private final Quotas quotas;

  FitUnderQuotas(Quotas quotas) {
    this.quotas = quotas;
  }

  /**
   * Returns the changes.
   *
   * @param fits whether the cluster has capacity for the job now
   */
  List<Counterfactual> find(JobEntry job, boolean fits) {
    return Stream.of(
            withinQuotas(job), fits ? ifPreemptible(job) : Optional.<Counterfactual>empty())
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<Counterfactual> withinQuotas(JobEntry job) {
    return quotas.admission().excessAlone(job.job()).map(FitUnderQuotas::within);
  }

  private static Counterfactual within(QuotaExcess excess) {
    return new Counterfactual.WithinQuotas(
        excess.queue(),
        excess.resource(),
        excess.isOfGuaranteed(),
        excess.available() / (double) excess.resource().perUnit());
  }

  private Optional<Counterfactual> ifPreemptible(JobEntry job) {
    boolean isForbidden =
        quotas.admission().excess(job).filter(QuotaExcess::isOfGuaranteed).isPresent()
            && quotas.admission().excessIfPreemptible(job).isEmpty();
    return isForbidden ? Optional.of(new Counterfactual.IfPreemptible()) : Optional.empty();
  }
}
