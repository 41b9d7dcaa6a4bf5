package io.github.liquidscheduler.lab.conformance.quota;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.lab.conformance.peer.DistinctNames;
import io.github.liquidscheduler.lab.conformance.peer.Facts;
import io.github.liquidscheduler.lab.conformance.peer.Refusal;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

  /** A queue or a cohort; both may have the same name. */
  private record Owner(boolean isCohort, String name) {
    static Owner cohort(String name) {
      return new Owner(true, name);
    }

    static Owner queue(String name) {
      return new Owner(false, name);
    }
  }

  private final Map<Owner, Facts> nodes = new LinkedHashMap<>();
  private final Map<Owner, Owner> parents = new LinkedHashMap<>();
  private final Map<Owner, String> names = new LinkedHashMap<>();
  private final Set<String> cohorts = new LinkedHashSet<>();
  private final Map<QuotaResource, String> resources = new LinkedHashMap<>();
  private final Map<QuotaResource, String> flavors = new LinkedHashMap<>();

  private boolean sharesFairly;

  private CohortTree() {}

  /**
   * Returns the tree that a case states.
   *
   * @throws Refusal if cohorts form a ring, two have the same name, or there are more resources or
   *     flavours than we can count
   */
  public static CohortTree of(Facts facts) {
    CohortTree tree = new CohortTree();
    tree.sharesFairly = facts.ifText("mode").filter(FAIR::equals).isPresent();
    facts.requireDistinct("cohorts");
    facts.requireDistinct("queues");
    for (Facts cohort : facts.objects("cohorts")) {
      tree.add(Owner.cohort(cohort.text("name")), cohort, cohort.ifText("parent"));
      tree.cohorts.add(cohort.text("name"));
    }
    for (Facts queue : facts.objects("queues")) {
      tree.add(Owner.queue(queue.text("name")), queue, queue.ifText("cohort"));
    }
    for (Owner parent : List.copyOf(tree.parents.values())) {
      if (tree.nodes.putIfAbsent(parent, Facts.NONE) == null) {
        tree.cohorts.add(parent.name());
      }
    }
    tree.requireNoRing();
    tree.name();
    tree.nodes.values().forEach(node -> node.objects("quotas").forEach(tree::count));
    return tree;
  }

  private void add(Owner owner, Facts node, Optional<String> parent) {
    nodes.put(owner, node);
    parent.ifPresent(name -> parents.put(owner, Owner.cohort(name)));
  }

  private void requireNoRing() {
    Set<Owner> fine = new LinkedHashSet<>();
    for (Map.Entry<Owner, Facts> node : nodes.entrySet()) {
      Set<Owner> path = new LinkedHashSet<>();
      for (@Nullable Owner at = node.getKey();
          at != null && !fine.contains(at);
          at = parents.get(at)) {
        if (!path.add(at)) {
          throw node.getValue().refusal("parent", "must not form a ring, but is in " + names(path));
        }
      }
      fine.addAll(path);
    }
  }

  private static List<String> names(Set<Owner> path) {
    return path.stream().map(Owner::name).toList();
  }

  /** Names queues as they are called, and cohorts so too unless a queue has the name. */
  private void name() {
    List<String> queues =
        nodes.keySet().stream().filter(node -> !node.isCohort()).map(Owner::name).toList();
    DistinctNames distinct = new DistinctNames(queues);
    nodes
        .keySet()
        .forEach(
            node -> names.put(node, node.isCohort() ? distinct.take(node.name()) : node.name()));
  }

  /** Returns how a cohort is called in the tree. */
  QueueName nameOfCohort(String name) {
    return QueueName.of(nameOf(Owner.cohort(name)));
  }

  private String nameOf(Owner owner) {
    return Objects.requireNonNull(names.get(owner), "named");
  }

  private void count(Facts quota) {
    QuotaResource resource = resource(quota);
    requireOne("GPUs must be one resource", resources, resource, quota, "resource");
    requireOne("CPU and memory must be of one flavour", flavors, resource, quota, "flavor");
  }

  private static void requireOne(
      String rule,
      Map<QuotaResource, String> names,
      QuotaResource resource,
      Facts quota,
      String field) {
    String name = quota.text(field);
    String other = names.getOrDefault(resource, name);
    if (!other.equals(name)) {
      throw quota.refusal(field, "%s, but are '%s' and '%s'".formatted(rule, other, name));
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
      default -> amount.reading(() -> QuotaResource.gpus(GpuModel.of(amount.text("flavor"))));
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
    Map<QuotaResource, Map<Owner, Double>> guaranteed = new LinkedHashMap<>();
    resources.keySet().forEach(resource -> guaranteed.put(resource, guaranteed(resource)));
    List<QueueSpec> queues = new ArrayList<>();
    nodes.forEach((owner, node) -> queues.add(node.reading(() -> queue(owner, node, guaranteed))));
    return QueueTree.of(queues);
  }

  private QueueSpec queue(
      Owner owner, Facts node, Map<QuotaResource, Map<Owner, Double>> guaranteed) {
    QueueSpec queue = QueueSpec.named(nameOf(owner)).with(preemption(node));
    queue =
        node.ifText("strategy").filter(STRICT::equals).isPresent() ? queue.withoutBypass() : queue;
    for (Map.Entry<QuotaResource, Map<Owner, Double>> each : guaranteed.entrySet()) {
      double amount = each.getValue().getOrDefault(owner, 0.0);
      queue = queue.with(each.getKey(), quota(node, each.getKey(), amount));
    }
    @Nullable Owner parent = parents.get(owner);
    return parent == null ? queue : queue.in(nameOf(parent));
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
          throw stated.refusal(
              field, "we have no word for the victims '%s'".formatted(stated.text(field)));
    };
  }

  private QueueQuota quota(Facts node, QuotaResource resource, double guaranteed) {
    Facts quota = own(node, resource);
    double borrowing = quota.number("borrowingLimit", Double.POSITIVE_INFINITY);
    return QueueQuota.guaranteed(guaranteed)
        .withLimit(guaranteed + borrowing)
        .withWeight(node.number("weight", 1))
        .withLendingLimit(quota.number("lendingLimit", Double.POSITIVE_INFINITY));
  }

  /** Returns what each queue and cohort has of its own and below it. */
  private Map<Owner, Double> guaranteed(QuotaResource resource) {
    Map<Owner, Double> guaranteed = new LinkedHashMap<>();
    nodes.forEach(
        (owner, node) -> {
          double own = own(node, resource).number("nominal", 0);
          for (@Nullable Owner at = owner; at != null; at = parents.get(at)) {
            guaranteed.merge(at, own, Double::sum);
          }
        });
    return guaranteed;
  }

  private Facts own(Facts node, QuotaResource resource) {
    return node.objects("quotas").stream()
        .filter(quota -> resource(quota).equals(resource))
        .findFirst()
        .orElse(Facts.NONE);
  }
}
