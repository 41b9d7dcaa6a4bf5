package io.github.liquidscheduler.arbitrary;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.DecayedUsage;
import io.github.liquidscheduler.queue.QueuePreemption;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.queue.Victims;
import io.github.liquidscheduler.resource.GpuModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Trees of queues. */
public final class QueueArbitraries {

  private QueueArbitraries() {}

  /** Returns names of queues. */
  public static Arbitrary<QueueName> names() {
    return Arbitraries.of("vision", "speech", "lab", "über uns").map(QueueName::of);
  }

  /** Returns trees in which each queue is at the top or a part of one before it. */
  public static Arbitrary<QueueTree> trees() {
    return Combinators.combine(
            Combinators.combine(
                    Arbitraries.integers().between(-1, 3),
                    Arbitraries.integers(),
                    Arbitraries.maps(resources(), quotas()).ofMaxSize(4),
                    preemptions(),
                    Arbitraries.of(true, false))
                .as(
                    (parent, priority, held, preemption, bypass) ->
                        new QueueSpec(
                            QueueName.of("of " + parent),
                            Optional.empty(),
                            priority,
                            held,
                            preemption,
                            bypass))
                .list()
                .ofMinSize(1)
                .ofMaxSize(5),
            Arbitraries.integers().between(1, 4),
            Arbitraries.of(Reclaiming.class),
            histories(),
            Arbitraries.of(true, false))
        .as(
            (queues, width, rules, history, rejects) -> {
              QueueTree tree = tree(named(queues, width), rules, history);
              return rejects ? tree.rejectingBeyondQuotas() : tree;
            });
  }

  private static QueueTree tree(
      List<QueueSpec> queues, Reclaiming rules, Optional<DecayedUsage> history) {
    QueueTree tree = QueueTree.of(queues).with(rules);
    return rules.lends() ? tree : history.map(tree::withDecayedUsage).orElse(tree);
  }

  private static Arbitrary<Optional<DecayedUsage>> histories() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 1_000_000).map(Duration::ofSeconds),
            Arbitraries.of(0.25, 1.0, 3.0))
        .as(DecayedUsage::new)
        .optional();
  }

  private static List<QueueSpec> named(List<QueueSpec> queues, int width) {
    List<QueueSpec> named = new ArrayList<>();
    for (int n = 0; n < queues.size(); n++) {
      QueueSpec queue = queues.get(n);
      Optional<QueueName> parent =
          n < width ? Optional.empty() : Optional.of(named.get(n - width).name());
      named.add(
          new QueueSpec(
              QueueName.of("q" + n),
              parent,
              queue.priority(),
              queue.quotas(),
              queue.preemption(),
              queue.bypass()));
    }
    return named;
  }

  private static Arbitrary<QueuePreemption> preemptions() {
    return Combinators.combine(
            Arbitraries.of(Victims.class).filter(own -> own != Victims.ANY),
            Arbitraries.of(Victims.class),
            Arbitraries.integers().optional())
        .as(QueuePreemption::new);
  }

  private static Arbitrary<QuotaResource> resources() {
    return Arbitraries.of(
        QuotaResource.GPUS,
        QuotaResource.CPU,
        QuotaResource.MEMORY,
        QuotaResource.gpus(GpuModel.of("A100")),
        QuotaResource.gpus(GpuModel.of("V100")));
  }

  private static Arbitrary<QueueQuota> quotas() {
    return Combinators.combine(amounts(), amounts(), Arbitraries.of(0.0, 1.0, 2.5), amounts())
        .as(
            (guaranteed, more, weight, lending) ->
                new QueueQuota(guaranteed, guaranteed + more, weight, lending));
  }

  private static Arbitrary<Double> amounts() {
    return Arbitraries.of(0.0, 0.5, 1.0, 8.0, 1e12, Double.POSITIVE_INFINITY);
  }
}
