package io.github.liquidscheduler.lab.conformance;

import io.github.liquidscheduler.job.TopologyConstraint.Slices;
import io.github.liquidscheduler.lab.conformance.peer.Facts;
import io.github.liquidscheduler.lab.conformance.peer.Refusal;
import io.github.liquidscheduler.lab.domains.DomainAssigner;
import io.github.liquidscheduler.lab.domains.DomainAssignment;
import io.github.liquidscheduler.lab.domains.DomainRule;
import io.github.liquidscheduler.lab.domains.NodeCapacity;
import io.github.liquidscheduler.lab.domains.TaskGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What a case about topology states, and what is still free. Mutable. */
final class TopologyCase {

  private static final String HOST = "kubernetes.io/hostname";
  private static final String SLOTS = "pods";
  private static final long PER_UNIT = 1000;

  /** The largest amount: more than that cannot be counted exactly. */
  private static final double MOST = 1e12;

  private static final Set<String> ENDED = new LinkedHashSet<>(List.of("succeeded", "failed"));

  private final Facts facts;
  private final List<String> levels;
  private final Map<String, Facts> nodes = new LinkedHashMap<>();
  private final Map<String, NodeCapacity> rooms = new LinkedHashMap<>();

  TopologyCase(Facts facts) {
    this.facts = facts;
    levels = facts.texts("levels");
    if (levels.isEmpty()) {
      throw facts.refusal("levels", "must name a level");
    }
    facts.requireDistinct("nodes");
    facts.requireDistinct("groups");
    for (Facts node : facts.objects("nodes")) {
      if (isInPool(node)) {
        Map<String, Long> capacity = amounts(node.object("capacity"));
        nodes.put(node.text("name"), node);
        rooms.put(node.text("name"), new NodeCapacity(path(node), capacity));
      }
    }
    facts.objects("otherTasks").forEach(this::takeOther);
    facts.objects("usedBefore").forEach(this::takeBefore);
  }

  private boolean isInPool(Facts node) {
    boolean ready = !node.has("ready") || node.flag("ready");
    Facts labels = node.object("labels");
    return ready
        && !node.flag("unschedulable")
        && has(labels, facts.object("poolLabels"))
        && levels.stream().allMatch(labels::has);
  }

  private static boolean has(Facts labels, Facts wanted) {
    return wanted.names().stream()
        .allMatch(name -> labels.ifText(name).equals(wanted.ifText(name)));
  }

  private List<String> path(Facts node) {
    return levels.stream().map(level -> node.object("labels").text(level)).toList();
  }

  /** Returns amounts in thousandths. */
  private static Map<String, Long> amounts(Facts stated) {
    Map<String, Long> amounts = new TreeMap<>();
    stated.names().forEach(name -> amounts.put(name, amount(stated, name)));
    return amounts;
  }

  private static long amount(Facts stated, String name) {
    double amount = stated.number(name);
    if (!(amount >= 0 && amount <= MOST)) {
      throw stated.refusal(name, "must be from 0 to %s, but was %s".formatted(MOST, amount));
    }
    return Math.round(amount * PER_UNIT);
  }

  /** Returns what a task takes, its slot included. */
  private static Map<String, Long> amountsOfTask(Facts stated) {
    Map<String, Long> amounts = amounts(stated);
    amounts.merge(SLOTS, PER_UNIT, Long::sum);
    return amounts;
  }

  private void takeOther(Facts task) {
    boolean ended = task.ifText("phase").map(ENDED::contains).orElse(false);
    Optional<String> node = task.ifText("node").filter(rooms::containsKey);
    if (!ended && node.isPresent()) {
      take(node.get(), 1, amountsOfTask(task.object("requests")));
    }
  }

  private void takeBefore(Facts used) {
    takeFrom(whole(used.texts("path")), used.count("count", 1), amounts(used.object("perTask")));
  }

  private void take(String node, int count, Map<String, Long> amounts) {
    rooms.computeIfPresent(node, (name, room) -> room.without(count, amounts));
  }

  /** Takes tasks from the nodes of a domain, from each as many as it holds. */
  private void takeFrom(List<String> path, int count, Map<String, Long> amounts) {
    int left = count;
    for (Map.Entry<String, NodeCapacity> node : rooms.entrySet()) {
      if (node.getValue().path().equals(path)) {
        int fits = fits(node.getValue(), amounts, left);
        node.setValue(node.getValue().without(fits, amounts));
        left -= fits;
      }
    }
  }

  private static int fits(NodeCapacity room, Map<String, Long> amounts, int atMost) {
    long fits = atMost;
    for (Map.Entry<String, Long> amount : amounts.entrySet()) {
      if (amount.getValue() > 0) {
        fits = Math.min(fits, room.free().getOrDefault(amount.getKey(), 0L) / amount.getValue());
      }
    }
    return (int) Math.max(0, fits);
  }

  /** Returns the path of all levels where a case names the host only. */
  private List<String> whole(List<String> written) {
    if (written.size() == levels.size()) {
      return written;
    }
    String host = written.isEmpty() ? "" : written.getLast();
    return facts.objects("nodes").stream()
        .filter(node -> node.object("labels").ifText(lowest()).equals(Optional.of(host)))
        .map(this::path)
        .findFirst()
        .orElseThrow(() -> Refusal.of("nodes", "there is no host '" + host + "'"));
  }

  private String lowest() {
    return levels.get(levels.size() - 1);
  }

  /** Returns the groups that go together, in the order of the case. */
  List<List<Facts>> coLocated() {
    Map<String, List<Facts>> together = new LinkedHashMap<>();
    for (Facts group : facts.objects("groups")) {
      String key = group.ifText("coLocateWith").map(name -> "with " + name).orElse("");
      String own = key.isEmpty() ? "alone " + group.text("name") : key;
      together.computeIfAbsent(own, each -> new ArrayList<>()).add(group);
    }
    return List.copyOf(together.values());
  }

  /** Returns the group that a leader leads: the larger one, the second of equals. */
  static Facts workers(List<Facts> together) {
    if (together.size() > 2) {
      throw together
          .get(2)
          .refusal("coLocateWith", "a leader and workers must be two groups at most");
    }
    Facts last = together.get(together.size() - 1);
    return together.stream()
        .max(Comparator.comparingInt(group -> group.count("count", 1)))
        .filter(group -> group.count("count", 1) > last.count("count", 1))
        .orElse(last);
  }

  TaskGroup group(Facts workers, Optional<Facts> leader) {
    return new TaskGroup(
        workers.count("count", 1),
        amountsOfTask(workers.object("perTask")),
        leader.map(one -> amountsOfTask(one.object("perTask"))));
  }

  /** Returns where a group goes, or its tasks on failed nodes. */
  Optional<DomainAssignment> assign(Facts workers, TaskGroup group) {
    if (!workers.object("previous").list("domains").isEmpty()) {
      throw workers.refusal("previous", "placements before a resize are not kept");
    }
    DomainAssigner assigner = new DomainAssigner(levels, roomsFor(workers));
    DomainRule rule = rule(workers.object("topology"));
    Facts current = facts.object("current").object(workers.text("name")).object("assignment");
    if (!facts.has("failedNodes") || !current.has("domains")) {
      return assigner.assign(group, rule);
    }
    Optional<DomainAssignment> assignment = Optional.of(assignment(current));
    for (String failed : facts.texts("failedNodes")) {
      List<String> path = whole(List.of(failed));
      assignment = assignment.flatMap(now -> assigner.replace(now, path, group, rule));
    }
    return assignment;
  }

  private DomainAssignment assignment(Facts stated) {
    return new DomainAssignment(
        stated.objects("domains").stream()
            .map(
                domain ->
                    new DomainAssignment.Part(
                        whole(domain.texts("path")), domain.count("count", 0)))
            .toList(),
        Optional.empty());
  }

  private List<NodeCapacity> roomsFor(Facts group) {
    List<NodeCapacity> allowed = new ArrayList<>();
    for (Map.Entry<String, Facts> node : nodes.entrySet()) {
      boolean labelled = has(node.getValue().object("labels"), group.object("nodeSelector"));
      if (labelled && Taints.allow(node.getValue(), group)) {
        NodeCapacity room = rooms.get(node.getKey());
        if (room != null) {
          allowed.add(room);
        }
      }
    }
    return allowed;
  }

  private DomainRule rule(Facts topology) {
    boolean balanced = facts.object("settings").flag("balanced");
    return new DomainRule(reach(topology), topology.ifText("level"), slices(topology), balanced);
  }

  private static DomainRule.Reach reach(Facts topology) {
    return switch (topology.ifText("mode").orElse("")) {
      case "required" -> DomainRule.Reach.REQUIRED;
      case "preferred" -> DomainRule.Reach.PREFERRED;
      case "unconstrained", "implied" -> DomainRule.Reach.UNCONSTRAINED;
      default -> DomainRule.Reach.SLICES_ONLY;
    };
  }

  private static List<Slices> slices(Facts topology) {
    if (topology.has("nestedSlices")) {
      return topology.objects("nestedSlices").stream()
          .map(nested -> new Slices(nested.count("size", 1), nested.text("level")))
          .toList();
    }
    return topology
        .ifText("sliceLevel")
        .map(level -> List.of(new Slices(topology.count("sliceSize", 1), level)))
        .orElse(List.of());
  }

  /** Takes what a group that was placed holds. */
  void take(Facts workers, TaskGroup group, DomainAssignment placed) {
    if (!facts.object("current").has(workers.text("name"))) {
      placed.parts().forEach(part -> takeFrom(part.path(), part.tasks(), group.perTask()));
      group.leader().ifPresent(one -> placed.leader().ifPresent(path -> takeFrom(path, 1, one)));
    }
  }

  /** Returns the domains in the form of a case. */
  Map<String, Object> written(List<DomainAssignment.Part> parts) {
    boolean hostOnly = lowest().equals(HOST);
    List<Object> domains = new ArrayList<>();
    Map<String, Set<List<String>>> used = new LinkedHashMap<>();
    for (DomainAssignment.Part part : parts) {
      List<String> path = part.path();
      List<String> shown = hostOnly ? path.subList(path.size() - 1, path.size()) : path;
      domains.add(Map.of("path", shown, "count", (double) part.tasks()));
      for (int level = 0; level < path.size(); level++) {
        used.computeIfAbsent(levels.get(level), each -> new LinkedHashSet<>())
            .add(path.subList(0, level + 1));
      }
    }
    Map<String, Object> counts = new LinkedHashMap<>();
    used.forEach((level, paths) -> counts.put(level, (double) paths.size()));
    return Map.of("placed", true, "domains", domains, "domainsUsed", counts);
  }
}
