package io.github.liquidscheduler.lab.conformance.quota;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.lab.conformance.peer.CaseOutcome;
import io.github.liquidscheduler.lab.conformance.peer.CaseRunner;
import io.github.liquidscheduler.lab.conformance.peer.Facts;
import io.github.liquidscheduler.lab.conformance.peer.PeerCase;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.scheduler.quota.DominantShare;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How much each queue and cohort borrows: {@link DominantShares}. */
public final class DominantShareRunner implements CaseRunner {

  @Override
  public CaseOutcome run(PeerCase peerCase) {
    Facts facts = peerCase.facts();
    CohortTree cohorts = CohortTree.of(facts);
    QueueTree tree = facts.reading("queues", cohorts::tree);
    DominantShares shares =
        facts.reading("usage", () -> new DominantShares(tree, usage(facts, cohorts)));
    List<Object> written = new ArrayList<>();
    for (Facts queue : facts.objects("queues")) {
      written.add(
          share(cohorts, shares, QueueName.of(queue.text("name")), queue.text("name"), "queue"));
    }
    for (String cohort : cohorts.cohorts()) {
      written.add(share(cohorts, shares, cohorts.nameOfCohort(cohort), cohort, "cohort"));
    }
    return new CaseOutcome.Ran(Map.of("shares", written));
  }

  private static Map<QueueName, Map<QuotaResource, Double>> usage(Facts facts, CohortTree cohorts) {
    Map<QueueName, Map<QuotaResource, Double>> usage = new LinkedHashMap<>();
    Facts held = facts.object("usage");
    for (String queue : held.names()) {
      add(usage, queue, held.objects(queue), cohorts);
    }
    if (facts.has("withRequest")) {
      String asking =
          held.names().stream().findFirst().orElseThrow(() -> facts.refusal("usage", "is missing"));
      add(usage, asking, facts.objects("withRequest"), cohorts);
    }
    return usage;
  }

  private static void add(
      Map<QueueName, Map<QuotaResource, Double>> usage,
      String queue,
      List<Facts> amounts,
      CohortTree cohorts) {
    Map<QuotaResource, Double> held =
        usage.computeIfAbsent(QueueName.of(queue), each -> new LinkedHashMap<>());
    for (Facts amount : amounts) {
      held.merge(cohorts.resource(amount), amount.number("amount"), Double::sum);
    }
  }

  private static Map<String, Object> share(
      CohortTree cohorts, DominantShares shares, QueueName queue, String name, String type) {
    DominantShare share = shares.of(queue);
    double thousandths = share.thousandths();
    Map<String, Object> written = new LinkedHashMap<>();
    written.put("name", name);
    written.put("type", type);
    written.put("share", Double.isInfinite(thousandths) ? "infinite" : Math.ceil(thousandths));
    share.resource().ifPresent(kind -> written.put("dominantResource", cohorts.nameOf(kind)));
    written.put("borrowing", share.isBorrowing());
    return written;
  }
}
