package io.github.liquidscheduler.lab.conformance.cluster;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.lab.conformance.peer.Facts;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The nodes that a case states, in the domains of its topology. A node on which a job runs and that
 * is not stated is gone: it has what runs there, and takes nothing new. A node on which more runs
 * than it has is as large as that.
 */
final class StatedNodes implements CohortNodes {

  /** How the level of nodes is called. */
  private static final String HOST = "kubernetes.io/hostname";

  private static final List<String> FIELDS = List.of("name", "labels", "capacity");

  private final Facts facts;
  private final CohortJobs jobs;
  private final Map<String, Map<String, Double>> held = new LinkedHashMap<>();
  private final GpuNumbers numbers = new GpuNumbers();

  /** Makes the nodes of a case, for the jobs that run. */
  StatedNodes(Facts facts, List<Facts> running) {
    this.facts = facts;
    jobs = new CohortJobs(facts, areSlotsShort(facts));
    for (Facts job : running) {
      for (Facts group : job.objects("groups")) {
        domains(job, group).forEach(domain -> hold(domain, jobs.perTask(group)));
      }
    }
  }

  /** Returns whether a node has fewer slots than there are tasks. */
  private static boolean areSlotsShort(Facts facts) {
    double tasks =
        facts.objects("jobs").stream()
            .flatMap(job -> job.objects("groups").stream())
            .mapToDouble(group -> group.number("count", 1))
            .sum();
    return facts.objects("nodes").stream()
        .anyMatch(node -> node.object("capacity").number(CohortJobs.SLOTS, tasks) < tasks);
  }

  private void hold(Facts domain, Map<String, Double> perTask) {
    Map<String, Double> onNode = held.computeIfAbsent(host(domain), any -> new LinkedHashMap<>());
    perTask.forEach(
        (name, amount) -> onNode.merge(name, amount * domain.number("count"), Double::sum));
  }

  private static List<Facts> domains(Facts job, Facts group) {
    return job.object("placement").object(group.text("name")).objects("domains");
  }

  private static String host(Facts domain) {
    List<String> path = domain.texts("path");
    if (path.isEmpty()) {
      throw domain.refusal("path", "must name a host");
    }
    return path.getLast();
  }

  /** Returns the name of the level that a constraint is about. */
  static String level(Facts topology) {
    String level = topology.text("level");
    return level.equals(HOST) ? ClusterTopology.NODE : level;
  }

  @Override
  public ClusterTopology cluster() {
    CaseDomains domains = new CaseDomains(facts, HOST);
    List<Node> nodes = new ArrayList<>(facts.each("nodes", node -> node(node, domains)));
    gone().forEach(gone -> nodes.add(node(gone.value(), Facts.NONE).build()));
    return facts.reading("nodes", () -> domains.cluster(nodes));
  }

  private Node node(Facts stated, CaseDomains domains) {
    stated.requireOnly("a node", FIELDS);
    Node.Builder node = node(host(stated.object("labels"), stated), stated.object("capacity"));
    domains.domainOf(stated).ifPresent(node::domain);
    return node.build();
  }

  private static String host(Facts labels, Facts node) {
    return labels.ifText(HOST).orElse(node.text("name"));
  }

  /** Returns a node of a capacity, or of what runs there if that is more. */
  private Node.Builder node(String host, Facts capacity) {
    Map<String, Double> amounts = new LinkedHashMap<>();
    capacity.names().forEach(name -> amounts.put(name, capacity.number(name)));
    held.getOrDefault(host, Map.of())
        .forEach((name, amount) -> amounts.merge(name, amount, Math::max));
    double cpu = Objects.requireNonNullElse(amounts.remove(CohortJobs.CPU), 0.0);
    double memory = Objects.requireNonNullElse(amounts.remove(CohortJobs.MEMORY), 0.0);
    if (!jobs.takeSlots()) {
      amounts.remove(CohortJobs.SLOTS);
    }
    int gpus = (int) amounts.values().stream().mapToDouble(part -> part).sum();
    return Node.builder(host)
        .cpu(CpuCores.of(cpu))
        .memory(Memory.ofBytes((long) memory))
        .gpus(gpus, jobs.gpuModel(), Memory.ofGib(1));
  }

  @Override
  public List<NodeId> gone() {
    List<String> gone = new ArrayList<>(held.keySet());
    facts.objects("nodes").forEach(node -> gone.remove(host(node.object("labels"), node)));
    return gone.stream().map(NodeId::of).toList();
  }

  @Override
  public JobSpec running(Facts job) {
    return jobs.placed(job, group -> tasks(job, group));
  }

  private static int tasks(Facts job, Facts group) {
    double tasks = 0;
    for (Facts domain : domains(job, group)) {
      tasks += domain.count("count", 0);
    }
    return (int) tasks;
  }

  @Override
  public JobSpec waiting(Facts job) {
    return jobs.waiting(job);
  }

  @Override
  public Placement placement(JobSpec job, Facts stated) {
    List<TaskPlacement> tasks = new ArrayList<>();
    for (Facts group : stated.objects("groups")) {
      TaskRole role = role(job, group.text("name"));
      int index = 0;
      for (Facts domain : domains(stated, group)) {
        for (int task = 0; task < domain.count("count", 0); task++) {
          tasks.add(
              new TaskPlacement(
                  new TaskId(role.name(), index++),
                  NodeId.of(host(domain)),
                  numbers.take(host(domain), role.request().gpus()),
                  role.request()));
        }
      }
    }
    return new Placement(job.id(), tasks);
  }

  private static TaskRole role(JobSpec job, String name) {
    return job.roles().stream()
        .filter(role -> role.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no group '" + name + "'"));
  }

  @Override
  public Map<String, Object> written(Placement placement) {
    Map<String, Map<String, Double>> tasks = new LinkedHashMap<>();
    for (TaskPlacement task : placement.tasks()) {
      tasks
          .computeIfAbsent(task.task().role(), any -> new LinkedHashMap<>())
          .merge(task.node().value(), 1.0, Double::sum);
    }
    Map<String, Object> groups = new LinkedHashMap<>();
    tasks.forEach((group, onNodes) -> groups.put(group, Map.of("domains", domains(onNodes))));
    return Map.of("placement", groups);
  }

  private static List<Object> domains(Map<String, Double> tasks) {
    List<Object> domains = new ArrayList<>();
    tasks.forEach((node, count) -> domains.add(Map.of("path", List.of(node), "count", count)));
    return domains;
  }
}
