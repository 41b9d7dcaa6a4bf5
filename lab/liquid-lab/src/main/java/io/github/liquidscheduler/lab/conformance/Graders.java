package io.github.liquidscheduler.lab.conformance;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import io.github.liquidscheduler.lab.conformance.peer.Facts;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** The graders, one for each way of writing a case. */
final class Graders {

  private static final double TOLERANCE = 1e-6;
  private static final List<String> RUNNING = List.of("admitted", "keeps-running");

  /** A task of a job on a node. */
  private record OnNode(String job, String node) {}

  private Graders() {}

  /** Compares fair shares, but for errors of rounding. */
  static Grade division(Facts expected, Facts result) {
    Facts wanted = expected.object("fairShare");
    Facts got = result.object("fairShare");
    boolean same = true;
    for (String queue : wanted.names()) {
      for (String resource : wanted.object(queue).names()) {
        double share = wanted.object(queue).number(resource);
        double error = Math.abs(got.object(queue).number(resource, 0) - share);
        same &= error <= TOLERANCE * Math.max(1, Math.abs(share));
      }
    }
    return Grade.of(same);
  }

  /** Compares dominant shares. */
  static Grade dominantShare(Facts expected, Facts result) {
    Map<String, Object> shares = new TreeMap<>();
    result
        .objects("shares")
        .forEach(share -> shares.put(share.text("name"), share.fields().get("share")));
    return Grade.of(
        expected.objects("shares").stream()
            .allMatch(
                share ->
                    Objects.equals(shares.get(share.text("name")), share.fields().get("share"))));
  }

  /** Compares the domains; no more domains of a level are as good. */
  static Grade topology(Facts expected, Facts result) {
    boolean strict = true;
    boolean lenient = true;
    for (String name : expected.object("groups").names()) {
      Facts wanted = expected.object("groups").object(name);
      Facts got = result.object("groups").object(name);
      boolean samePlaced = wanted.flag("placed") == got.flag("placed");
      boolean placed = wanted.flag("placed");
      strict &= samePlaced && (!placed || domains(wanted).equals(domains(got)));
      lenient &= samePlaced && (!placed || usesNoMore(wanted, got));
    }
    return new Grade(strict, lenient);
  }

  private static Map<String, Double> domains(Facts group) {
    Map<String, Double> domains = new TreeMap<>();
    group
        .objects("domains")
        .forEach(
            domain ->
                domains.merge(
                    domain.texts("path").toString(), domain.number("count"), Double::sum));
    return domains;
  }

  private static boolean usesNoMore(Facts wanted, Facts got) {
    Facts limit = wanted.object("domainsUsed");
    Facts used = got.object("domainsUsed");
    return limit.names().stream()
        .allMatch(level -> used.has(level) && used.number(level) <= limit.number(level));
  }

  /**
   * Compares how many tasks of each job run, how many were evicted, moved and started, and where.
   */
  static Grade cluster(Facts expected, Facts result) {
    boolean lenient = sameNumbers(expected.object("tasksRunning"), result.object("tasksRunning"));
    boolean totals =
        !expected.flag("complete")
            || sameNumbers(expected.object("totals"), result.object("totals"));
    return new Grade(lenient && totals && sameNodes(expected, result), lenient);
  }

  private static boolean sameNumbers(Facts wanted, Facts got) {
    return wanted.names().stream()
        .allMatch(name -> got.has(name) && got.number(name) == wanted.number(name));
  }

  /** Returns whether the tasks lie where they must; tasks of a job stand for each other. */
  private static boolean sameNodes(Facts expected, Facts result) {
    boolean same = Multisets.containsOccurrences(tasksOnNodes(result), tasksOnNodes(expected));
    for (String job : expected.object("jobs").names()) {
      Facts stated = expected.object("jobs").object(job);
      same &= !stated.has("node") || nodes(result, job).equals(Set.of(stated.text("node")));
    }
    return same;
  }

  private static Multiset<OnNode> tasksOnNodes(Facts outcome) {
    Multiset<OnNode> tasks = HashMultiset.create();
    Facts all = outcome.object("tasks");
    for (String task : all.names()) {
      all.object(task).ifText("node").ifPresent(node -> tasks.add(new OnNode(jobOf(task), node)));
    }
    return tasks;
  }

  private static Set<String> nodes(Facts result, String job) {
    Set<String> nodes = new LinkedHashSet<>();
    Facts tasks = result.object("tasks");
    for (String task : tasks.names()) {
      if (jobOf(task).equals(job)) {
        tasks.object(task).ifText("node").ifPresent(nodes::add);
      }
    }
    return nodes;
  }

  private static String jobOf(String task) {
    int end = task.lastIndexOf('-');
    return end < 0 ? task : task.substring(0, end);
  }

  /** Compares the sets of victims. */
  static Grade preemption(Facts expected, Facts result) {
    return Grade.of(
        victims(expected).equals(victims(result))
            && expected.flag("admissible") == result.flag("admissible"));
  }

  private static List<String> victims(Facts outcome) {
    List<String> victims = new ArrayList<>();
    outcome.objects("evicted").forEach(victim -> victims.add(victim.text("job")));
    victims.sort(null);
    return victims;
  }

  /** Compares what becomes of each job, and where; that the same jobs run is as good. */
  static Grade cycle(Facts expected, Facts result) {
    boolean strict = true;
    boolean lenient = true;
    for (String job : expected.object("jobs").names()) {
      Facts statedJob = expected.object("jobs").object(job);
      Facts gotJob = result.object("jobs").object(job);
      String wanted = statedJob.ifText("outcome").orElse("");
      String got = gotJob.ifText("outcome").orElse("");
      strict &= wanted.equals(got) && samePlacement(statedJob, gotJob);
      lenient &= RUNNING.contains(wanted) == RUNNING.contains(got);
    }
    return new Grade(strict, lenient);
  }

  private static boolean samePlacement(Facts stated, Facts got) {
    Facts wanted = stated.object("placement");
    Facts placed = got.object("placement");
    return wanted.names().stream()
        .allMatch(group -> domains(wanted.object(group)).equals(domains(placed.object(group))));
  }
}
