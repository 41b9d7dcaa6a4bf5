package io.github.liquidscheduler.lab.conformance;

import io.github.liquidscheduler.lab.conformance.peer.Facts;
import io.github.liquidscheduler.lab.conformance.peer.PeerCase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What we do otherwise on purpose, by what a case states and what comes out. Each choice is
 * documented: see {@code lab/liquid-lab/docs/conformance.md}.
 */
final class Choices {

  /** Says whether a case is about a choice. */
  @FunctionalInterface
  private interface Concern {
    boolean concerns(PeerCase peerCase, Facts expected, Facts result);
  }

  /**
   * A choice.
   *
   * @param concern whether a case is about it
   * @param reason why we differ
   */
  private record Choice(Concern concern, String reason) {}

  private static final String RUNNING = "tasksRunning";
  private static final String ON_VICTIMS = "waits-for-victims";

  private static final List<Choice> CHOICES =
      List.of(
          new Choice(
              (peerCase, expected, result) -> leavesOutWhereItWas(peerCase),
              "a group was placed before, but the case does not say where: it is placed anew"),
          new Choice(
              Choices::usesIdleRoom,
              "the cycle has no action that allocates; here jobs that fit start in every event"),
          new Choice(
              (peerCase, expected, result) -> fitsWithoutVictims(expected, result),
              "the case asks for victims only; here a job that fits without any starts"),
          new Choice(
              (peerCase, expected, result) -> usesWhatIsLeftOver(expected, result),
              "who is evicted leaves more than is asked for; here others start on the rest in the"
                  + " same event, not in the next cycle"),
          new Choice(
              FirstOfQueues::decide,
              "a cycle tries the first job of each queue; here all that fit start"),
          new Choice(
              Choices::takesBackGuarantee,
              "nothing happens in the case; here a queue takes back what is guaranteed to it though"
                  + " a larger job that comes first does not fit"),
          new Choice(
              IdleBorrowing::decides,
              "a queue that borrows anything takes nothing back; here only what is short counts"),
          new Choice(
              Choices::usesOtherDomains, "of equally many nodes and domains others are taken"),
          new Choice(
              Choices::keepsGuarantee,
              "a gang is not taken where that leaves its queue less than is guaranteed"));

  private Choices() {}

  /** Returns why what comes out of a case is something else than it expects, if that is known. */
  static Optional<String> reason(PeerCase peerCase, Facts expected, Facts result) {
    return CHOICES.stream()
        .filter(choice -> choice.concern().concerns(peerCase, expected, result))
        .map(Choice::reason)
        .findFirst();
  }

  private static boolean leavesOutWhereItWas(PeerCase peerCase) {
    return peerCase.facts().objects("groups").stream()
        .anyMatch(
            group -> group.has("previous") && group.object("previous").list("domains").isEmpty());
  }

  private static boolean fitsWithoutVictims(Facts expected, Facts result) {
    return expected.has("admissible")
        && expected.list("evicted").isEmpty()
        && result.list("evicted").isEmpty()
        && result.flag("admissible");
  }

  /** Returns whether all comes out as expected, but that more jobs start where victims were. */
  private static boolean usesWhatIsLeftOver(Facts expected, Facts result) {
    Facts wanted = expected.object("jobs");
    Facts got = result.object("jobs");
    boolean isAsExpected =
        got.names().stream()
            .allMatch(
                job ->
                    outcome(wanted, job).equals(outcome(got, job))
                        || (outcome(wanted, job).equals("waits")
                            && outcome(got, job).equals(ON_VICTIMS)));
    return isAsExpected
        && wanted.names().stream().anyMatch(job -> outcome(wanted, job).equals(ON_VICTIMS));
  }

  private static String outcome(Facts jobs, String job) {
    return jobs.object(job).ifText("outcome").orElse("");
  }

  /** Returns whether all that should run does, nobody else was evicted or moved, and more runs. */
  private static boolean usesIdleRoom(PeerCase peerCase, Facts expected, Facts result) {
    List<String> actions = peerCase.facts().object("cycle").texts("actions");
    Facts wanted = expected.object(RUNNING);
    Facts got = result.object(RUNNING);
    return !actions.isEmpty()
        && !actions.contains("allocate")
        && wanted.names().stream().allMatch(job -> got.number(job, 0) >= wanted.number(job))
        && isNoMore("evicted", expected, result)
        && isNoMore("moved", expected, result);
  }

  private static boolean isNoMore(String change, Facts expected, Facts result) {
    return result.object("totals").number(change, 0) <= expected.object("totals").number(change, 0);
  }

  /** Returns whether a queue loses what is guaranteed to it where it should, but not here. */
  private static boolean keepsGuarantee(PeerCase peerCase, Facts expected, Facts result) {
    Facts facts = peerCase.facts();
    for (Facts queue : facts.objects("queues")) {
      double guaranteed = guaranteed(facts, queue);
      double left = held(facts, queue, expected);
      double kept = held(facts, queue, result);
      boolean lost = left < guaranteed && guaranteed <= kept && loses(facts, queue, expected);
      if (lost && isGained(facts, queue, expected)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether nothing should happen, but a queue gets what is guaranteed to it, and others
   * keep what is guaranteed to them.
   */
  private static boolean takesBackGuarantee(PeerCase peerCase, Facts expected, Facts result) {
    Facts facts = peerCase.facts();
    Facts totals = expected.object("totals");
    boolean happens =
        totals.names().isEmpty()
            || totals.names().stream().anyMatch(name -> totals.number(name) > 0);
    if (happens || result.object("totals").number("evicted", 0) == 0) {
      return false;
    }
    return facts.objects("queues").stream()
        .filter(queue -> held(facts, queue, expected) != held(facts, queue, result))
        .allMatch(queue -> isOwed(facts, queue, expected, result));
  }

  /** Returns whether what a queue gains is guaranteed to it, or what it loses is not. */
  private static boolean isOwed(Facts facts, Facts queue, Facts expected, Facts result) {
    double guaranteed = guaranteed(facts, queue);
    double before = held(facts, queue, expected);
    double after = held(facts, queue, result);
    return after > before ? after <= guaranteed : after >= guaranteed;
  }

  /** Returns whether as many tasks run, in as many domains, but some elsewhere. */
  private static boolean usesOtherDomains(PeerCase peerCase, Facts expected, Facts result) {
    Facts facts = peerCase.facts();
    List<String> levels =
        facts.objects("topologies").stream()
            .flatMap(tree -> tree.texts("levels").stream())
            .toList();
    Facts wanted = expected.object(RUNNING);
    return !levels.isEmpty()
        && expected.has(RUNNING)
        && wanted.names().stream()
            .allMatch(job -> wanted.number(job) == result.object(RUNNING).number(job, 0))
        && isNoMore("evicted", expected, result)
        && isNoMore("moved", expected, result)
        && domains(facts, levels, expected).equals(domains(facts, levels, result));
  }

  /** Returns how many nodes, and domains of each level, hold tasks. */
  private static List<Integer> domains(Facts facts, List<String> levels, Facts outcome) {
    List<String> nodes =
        outcome.object("tasks").names().stream()
            .flatMap(task -> outcome.object("tasks").object(task).ifText("node").stream())
            .distinct()
            .toList();
    List<Integer> counts = new ArrayList<>(List.of(nodes.size()));
    for (int level = 0; level < levels.size(); level++) {
      List<String> path = levels.subList(0, level + 1);
      counts.add(
          (int)
              facts.objects("nodes").stream()
                  .filter(node -> nodes.contains(node.text("name")))
                  .map(node -> path.stream().map(node.object("labels")::ifText).toList())
                  .distinct()
                  .count());
    }
    return counts;
  }

  /** Returns what is guaranteed to a queue, by it and all that it is a part of. */
  private static double guaranteed(Facts facts, Facts queue) {
    double own = queue.object("gpu").amount("deserved");
    return facts.objects("queues").stream()
        .filter(other -> other.ifText("name").equals(queue.ifText("parent")))
        .mapToDouble(parent -> Math.min(own, guaranteed(facts, parent)))
        .findFirst()
        .orElse(own);
  }

  /** Returns whether a job of another queue gets more tasks. */
  private static boolean isGained(Facts facts, Facts queue, Facts expected) {
    return facts.objects("jobs").stream()
        .filter(job -> !job.text("queue").equals(queue.text("name")))
        .anyMatch(job -> runningNow(job) < expected.object(RUNNING).number(job.text("name"), 0));
  }

  private static double held(Facts facts, Facts queue, Facts outcome) {
    return facts.objects("jobs").stream()
        .filter(job -> job.text("queue").equals(queue.text("name")))
        .mapToDouble(
            job ->
                outcome.object(RUNNING).number(job.text("name"), 0)
                    * job.object("perTask").number("gpus", 0))
        .sum();
  }

  private static boolean loses(Facts facts, Facts queue, Facts expected) {
    return facts.objects("jobs").stream()
        .filter(job -> job.text("queue").equals(queue.text("name")))
        .anyMatch(job -> runningNow(job) > expected.object(RUNNING).number(job.text("name"), 0));
  }

  private static long runningNow(Facts job) {
    return job.objects("tasks").stream()
        .filter(task -> task.ifText("state").equals(Optional.of("running")))
        .count();
  }
}
