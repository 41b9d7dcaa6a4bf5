package io.github.liquidscheduler.lab.conformance.quota;

import io.github.liquidscheduler.lab.conformance.peer.Facts;
import io.github.liquidscheduler.queue.QueuePreemption;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.queue.Victims;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Queues in cohorts, as a tree of queues. A cohort's quota comes on top of those of its parts; that
 * of a queue with parts includes them, so they are added. What is not CPU or memory is GPUs, and a
 * flavour of these is a model.
 */
public final class CohortTree {

  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";
  private static final String STRICT = "StrictFIFO";
  private static final String FAIR = "fair-sharing";

  private final Map<String, Facts> nodes = new LinkedHashMap<>();
  private final Map<String, String> parents = new LinkedHashMap<>();
  private final Set<String> cohorts = new LinkedHashSet<>();
  private final Map<QuotaResource, String> resources = new LinkedHashMap<>();
  private final Map<QuotaResource, String> flavors = new LinkedHashMap<>();

  private boolean sharesFairly;

  private CohortTree() {}

  /**
   * Returns the tree that a case states.
   *
   * @throws IllegalArgumentException if it has more resources or flavours than we can count
   */
  public static CohortTree of(Facts facts) {
    CohortTree tree = new CohortTree();
    tree.sharesFairly = facts.ifText("mode").filter(FAIR::equals).isPresent();
    for (Facts cohort : facts.objects("cohorts")) {
      tree.add(cohort, cohort.ifText("parent"));
      tree.cohorts.add(cohort.text("name"));
    }
    for (Facts queue : facts.objects("queues")) {
      tree.add(queue, queue.ifText("cohort"));
    }
    for (String parent : List.copyOf(tree.parents.values())) {
      if (tree.nodes.putIfAbsent(parent, Facts.NONE) == null) {
        tree.cohorts.add(parent);
      }
    }
    tree.nodes.values().forEach(node -> node.objects("quotas").forEach(tree::count));
    return tree;
  }

  private void add(Facts node, Optional<String> parent) {
    nodes.put(node.text("name"), node);
    parent.ifPresent(name -> parents.put(node.text("name"), name));
  }

  private void count(Facts quota) {
    QuotaResource resource = resource(quota);
    String name = quota.text("resource");
    requireOne("GPUs must be one resource", resources, resource, name);
    requireOne("CPU and memory must be of one flavour", flavors, resource, quota.text("flavor"));
  }

  private static void requireOne(
      String rule, Map<QuotaResource, String> names, QuotaResource resource, String name) {
    String other = names.getOrDefault(resource, name);
    if (!other.equals(name)) {
      throw new IllegalArgumentException("%s, but are '%s' and '%s'".formatted(rule, other, name));
    }
    names.put(resource, name);
  }

  /** Returns the cohorts by name: those listed, then those only named by a part. */
  Set<String> cohorts() {
    return cohorts;
  }

  /** Returns the resource of which a quota or an amount is. */
  QuotaResource resource(Facts amount) {
    return switch (amount.text("resource")) {
      case CPU -> QuotaResource.CPU;
      case MEMORY -> QuotaResource.MEMORY;
      default -> QuotaResource.gpus(GpuModel.of(amount.text("flavor")));
    };
  }

  /** Returns what the case calls a kind of resource. */
  String nameOf(QuotaResource.Kind kind) {
    return resources.entrySet().stream()
        .filter(entry -> entry.getKey().kind() == kind)
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseThrow();
  }

  /** Returns the tree, in which queues lend each other quota in the mode that the case states. */
  public QueueTree lending() {
    return tree().with(sharesFairly ? Reclaiming.DOMINANT_SHARES : Reclaiming.LENT_QUOTA);
  }

  /** Returns the tree. */
  public QueueTree tree() {
    List<QueueSpec> queues = new ArrayList<>();
    for (Map.Entry<String, Facts> node : nodes.entrySet()) {
      QueueSpec queue = QueueSpec.named(node.getKey()).with(preemption(node.getValue()));
      queue =
          node.getValue().ifText("strategy").filter(STRICT::equals).isPresent()
              ? queue.withoutBypass()
              : queue;
      for (QuotaResource resource : resources.keySet()) {
        queue = queue.with(resource, quota(node.getKey(), resource));
      }
      Optional<String> parent = Optional.ofNullable(parents.get(node.getKey()));
      queues.add(parent.map(queue::in).orElse(queue));
    }
    return QueueTree.of(queues);
  }

  private static QueuePreemption preemption(Facts node) {
    Facts stated = node.object("preemption");
    Facts borrowing = stated.object("borrowWithinCohort");
    QueuePreemption rules =
        QueuePreemption.NONE
            .withOwn(victims(stated, "withinQueue"))
            .withOthers(victims(stated, "reclaimWithinCohort"));
    return victims(borrowing, "policy") == Victims.NEVER
        ? rules
        : rules.withBorrowingUpTo(borrowing.count("maxPriority", Integer.MAX_VALUE));
  }

  private static Victims victims(Facts stated, String field) {
    return switch (stated.ifText(field).orElse("Never")) {
      case "Never" -> Victims.NEVER;
      case "LowerPriority" -> Victims.LOWER_PRIORITY;
      case "LowerOrNewerEqualPriority" -> Victims.LOWER_OR_NEWER_EQUAL_PRIORITY;
      case "Any" -> Victims.ANY;
      default ->
          throw new IllegalArgumentException(
              "we have no word for the victims '%s'".formatted(stated.text(field)));
    };
  }

  private QueueQuota quota(String name, QuotaResource resource) {
    double guaranteed = guaranteed(name, resource);
    Facts node = nodes.getOrDefault(name, Facts.NONE);
    Facts quota = own(node, resource);
    double borrowing = quota.number("borrowingLimit", Double.POSITIVE_INFINITY);
    return QueueQuota.guaranteed(guaranteed)
        .withLimit(guaranteed + borrowing)
        .withWeight(node.number("weight", 1))
        .withLendingLimit(quota.number("lendingLimit", Double.POSITIVE_INFINITY));
  }

  private double guaranteed(String name, QuotaResource resource) {
    double guaranteed = own(nodes.getOrDefault(name, Facts.NONE), resource).number("nominal", 0);
    for (Map.Entry<String, String> child : parents.entrySet()) {
      if (child.getValue().equals(name)) {
        guaranteed += guaranteed(child.getKey(), resource);
      }
    }
    return guaranteed;
  }

  private Facts own(Facts node, QuotaResource resource) {
    return node.objects("quotas").stream()
        .filter(quota -> resource(quota).equals(resource))
        .findFirst()
        .orElse(Facts.NONE);
  }
}
