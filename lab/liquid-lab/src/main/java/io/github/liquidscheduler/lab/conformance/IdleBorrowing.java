package io.github.liquidscheduler.lab.conformance;

import io.github.liquidscheduler.lab.conformance.peer.Facts;
import io.github.liquidscheduler.lab.conformance.peer.PeerCase;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a queue takes back while it borrows something else that is idle. In Kueue a queue that
 * borrows any resource takes nothing back; here only resources that are short count.
 */
final class IdleBorrowing {

  private final List<Facts> queues;
  private final List<Facts> running;
  private final Facts incoming;

  private IdleBorrowing(Facts facts) {
    queues = facts.objects("queues");
    running = facts.objects("running");
    incoming = facts.object("incoming");
  }

  /**
   * Returns true if a job of another queue is evicted, where only jobs of the own one should be,
   * for a job that exceeds the quota of its queue in nothing but what is idle.
   */
  static boolean decides(PeerCase peerCase, Facts expected, Facts result) {
    Facts facts = peerCase.facts();
    if (!facts.has("incoming")) {
      return false;
    }
    IdleBorrowing question = new IdleBorrowing(facts);
    return question.areAllOwn(expected)
        && !question.areAllOwn(result)
        && question.borrowsIdleResources();
  }

  private boolean areAllOwn(Facts outcome) {
    String own = incoming.text("queue");
    List<String> evicted =
        outcome.objects("evicted").stream().map(each -> each.text("job")).toList();
    return running.stream()
        .filter(job -> evicted.contains(job.text("name")))
        .allMatch(job -> job.text("queue").equals(own));
  }

  private boolean borrowsIdleResources() {
    boolean borrows = false;
    for (String resource : asked()) {
      boolean isBorrowed = left(List.of(own()), resource) < 0;
      boolean isShort = left(cohort(), resource) < 0;
      if (isBorrowed && isShort) {
        return false;
      }
      borrows |= isBorrowed;
    }
    return borrows;
  }

  private Set<String> asked() {
    Set<String> asked = new TreeSet<>();
    incoming.objects("groups").forEach(group -> asked.addAll(group.object("perTask").names()));
    return asked;
  }

  private Facts own() {
    return queues.stream()
        .filter(queue -> queue.text("name").equals(incoming.text("queue")))
        .findFirst()
        .orElseThrow(() -> incoming.refusal("queue", "is not stated"));
  }

  private List<Facts> cohort() {
    return queues.stream()
        .filter(queue -> queue.ifText("cohort").equals(own().ifText("cohort")))
        .toList();
  }

  /** Returns what of the quotas of queues is left with the job; negative if too little. */
  private double left(List<Facts> quotas, String resource) {
    double left = 0;
    for (Facts queue : quotas) {
      left +=
          queue.objects("quotas").stream()
              .filter(quota -> quota.text("resource").equals(resource))
              .mapToDouble(quota -> quota.number("nominal", 0))
              .sum();
      left -= held(queue, resource);
    }
    for (Facts group : incoming.objects("groups")) {
      left -= group.number("count", 1) * group.object("perTask").number(resource, 0);
    }
    return left;
  }

  private double held(Facts queue, String resource) {
    return running.stream()
        .filter(job -> job.text("queue").equals(queue.text("name")))
        .map(job -> job.object("usage"))
        .flatMap(usage -> usage.names().stream().map(usage::object))
        .mapToDouble(usage -> usage.number(resource, 0))
        .sum();
  }
}
