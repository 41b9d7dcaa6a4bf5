package io.github.liquidscheduler.lab.conformance.quota;

import io.github.liquidscheduler.lab.conformance.peer.CaseOutcome;
import io.github.liquidscheduler.lab.conformance.peer.CaseRunner;
import io.github.liquidscheduler.lab.conformance.peer.Facts;
import io.github.liquidscheduler.lab.conformance.peer.PeerCase;
import io.github.liquidscheduler.scheduler.share.Claim;
import io.github.liquidscheduler.scheduler.share.FairDivision;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How a total is divided among sibling queues: {@link FairDivision}, resource by resource. */
public final class DivisionRunner implements CaseRunner {

  @Override
  public CaseOutcome run(PeerCase peerCase) {
    Facts facts = peerCase.facts();
    List<Facts> queues = new ArrayList<>(facts.objects("queues"));
    queues.sort(
        Comparator.<Facts>comparingDouble(queue -> queue.number("created", 0))
            .thenComparing(queue -> queue.ifText("tieName").orElse(queue.text("name"))));
    Map<String, Map<String, Object>> shares = new LinkedHashMap<>();
    for (String resource : facts.object("total").names()) {
      divide(facts, queues, resource, shares);
    }
    return new CaseOutcome.Ran(Map.of("fairShare", shares));
  }

  private static void divide(
      Facts facts, List<Facts> queues, String resource, Map<String, Map<String, Object>> shares) {
    boolean surplusOnly = facts.text("part").equals("over-quota-part");
    List<Facts> takers = queues.stream().filter(queue -> queue.has(resource)).toList();
    List<Claim> claims = new ArrayList<>();
    double total = facts.object("total").number(resource);
    for (Facts queue : takers) {
      Claim claim = claim(queue, queue.object(resource), surplusOnly);
      claims.add(claim);
      total += surplusOnly ? claim.guaranteed() : 0;
    }
    double[] divided = FairDivision.divide(total, claims, facts.number("usageWeight", 0));
    for (int i = 0; i < divided.length; i++) {
      shares
          .computeIfAbsent(takers.get(i).text("name"), each -> new LinkedHashMap<>())
          .put(resource, divided[i]);
    }
  }

  private static Claim claim(Facts queue, Facts quota, boolean surplusOnly) {
    return new Claim(
        surplusOnly ? quota.number("alreadyGiven", 0) : quota.amount("deserved"),
        quota.amount("limit"),
        Math.max(0, quota.number("overQuotaWeight", 0)),
        queue.count("priority", 0),
        quota.number("requested", 0),
        quota.number("usage", 0));
  }
}
