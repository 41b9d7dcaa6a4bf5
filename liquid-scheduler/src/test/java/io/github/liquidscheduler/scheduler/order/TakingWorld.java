package io.github.liquidscheduler.scheduler.order;

import io.github.liquidscheduler.queue.Reclaiming;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * A small cluster without nodes, its queues and all its jobs: some run, the others wait. Mutable.
 */
final class TakingWorld {

  private static final int LEAVES = 4;

  /** A queue: guarantees and weight. */
  record QueueDraft(List<Integer> guaranteed, int weight) {}

  /** A job: its leaf, rank, amounts at its least size, further tasks and surplus. */
  record JobDraft(
      int leaf,
      int rank,
      List<Integer> least,
      int tasks,
      int surplus,
      boolean isOpportunistic,
      boolean isPreemptible) {}

  /** A world before anything runs. */
  record Draft(
      List<QueueDraft> queues,
      boolean isDeep,
      List<JobDraft> jobs,
      List<Integer> capacity,
      TakingRules rules) {}

  private final TakingRules rules;
  private final long[] capacity;
  private final List<SomeQueue> leaves = new ArrayList<>();
  private final List<TakingUnit> waiting = new ArrayList<>();
  private final List<TakingUnit> running = new ArrayList<>();
  private long second;

  TakingWorld(Draft draft) {
    rules = draft.rules();
    capacity = draft.capacity().stream().mapToLong(Integer::longValue).toArray();
    List<SomeQueue> roots = queues(draft);
    for (int i = 0; i < draft.jobs().size(); i++) {
      add(i, draft.jobs().get(i));
    }
    SomeQueue.divide(roots, capacity);
  }

  private List<SomeQueue> queues(Draft draft) {
    int resources = capacity.length;
    List<SomeQueue> roots = new ArrayList<>();
    for (int i = 0; i < LEAVES; i++) {
      boolean isChild = draft.isDeep() && i < LEAVES - 2;
      if (i == 0 && isChild) {
        roots.add(new SomeQueue(LEAVES, null, resources));
      }
      SomeQueue leaf = new SomeQueue(i, isChild ? roots.getFirst() : null, resources);
      QueueDraft numbers = draft.queues().get(i);
      leaf.withGuarantee(longs(numbers.guaranteed(), resources)).withWeight(numbers.weight());
      leaves.add(leaf);
      if (!isChild) {
        roots.add(leaf);
      }
    }
    for (SomeQueue root : roots) {
      if (!root.children().isEmpty()) {
        long[] sum = new long[resources];
        for (int resource = 0; resource < resources; resource++) {
          for (SomeQueue child : root.children()) {
            sum[resource] += child.guaranteed(resource);
          }
        }
        root.withGuarantee(sum);
      }
    }
    return roots;
  }

  private static long[] longs(List<Integer> amounts, int resources) {
    return amounts.stream().limit(resources).mapToLong(Integer::longValue).toArray();
  }

  private void add(int sequence, JobDraft job) {
    SomeQueue leaf = leaves.get(job.leaf());
    Amounts least = Amounts.of(longs(job.least(), capacity.length));
    long[] one = new long[capacity.length];
    one[0] = 1;
    TakingUnit.Kind kind =
        job.isOpportunistic() ? TakingUnit.Kind.OPPORTUNISTIC : TakingUnit.Kind.ORDINARY;
    for (int part = 0; part <= job.tasks() + job.surplus(); part++) {
      TakingUnit unit =
          new TakingUnit(
              leaf,
              job.rank(),
              sequence,
              part,
              part == 0 ? least : Amounts.of(one),
              part > job.tasks() ? TakingUnit.Kind.SURPLUS : kind,
              job.isPreemptible(),
              Instant.MIN);
      waiting.add(unit);
      if (unit.isOrdinary()) {
        leaf.want(unit.amounts());
      }
    }
  }

  TakingRules rules() {
    return rules;
  }

  List<SomeQueue> leaves() {
    return leaves;
  }

  List<TakingUnit> running() {
    return running;
  }

  /** Returns the units that could start next: the least size of a job first. */
  List<TakingUnit> startable() {
    return waiting.stream()
        .filter(unit -> unit.part() == 0 || isRunning(unit.sequence(), unit.part() - 1))
        .toList();
  }

  private boolean isRunning(long sequence, int part) {
    return running.stream().anyMatch(unit -> unit.sequence() == sequence && unit.part() == part);
  }

  Amounts free() {
    Amounts free = Amounts.of(capacity);
    for (TakingUnit unit : running) {
      free = free.minus(unit.amounts());
    }
    return free;
  }

  Instant now() {
    return Instant.ofEpochSecond(second);
  }

  void pass() {
    second++;
  }

  MutualTaking rulesNow() {
    return new MutualTaking(rules, running, now());
  }

  TakingMeasure measure(ScarceResources shortage) {
    return new TakingMeasure(rules, shortage, List.copyOf(running));
  }

  /** Returns the names of all that runs. */
  List<String> state() {
    return running.stream().map(unit -> unit.sequence() + "/" + unit.part()).sorted().toList();
  }

  void start(TakingUnit unit) {
    waiting.removeIf(unit::isSameAs);
    running.add(at(unit, now()));
  }

  void apply(Taking taking) {
    for (TakingUnit unit : taking.taken()) {
      running.removeIf(unit::isSameAs);
      waiting.add(at(unit, Instant.MIN));
    }
    start(taking.winner());
  }

  private static TakingUnit at(TakingUnit unit, Instant changedAt) {
    return new TakingUnit(
        unit.queue(),
        unit.rank(),
        unit.sequence(),
        unit.part(),
        unit.amounts(),
        unit.kind(),
        unit.isPreemptible(),
        changedAt);
  }

  /**
   * Returns a taking for a unit from units in this order until it fits, further tasks of a job
   * before the rest of it; no more than needed of what is free is left out.
   */
  Taking taking(TakingUnit winner, List<TakingUnit> order) {
    Amounts left = free();
    List<TakingUnit> taken = new ArrayList<>();
    for (TakingUnit unit : order) {
      if (winner.amounts().isAtMost(left)) {
        break;
      }
      for (TakingUnit part : partsFrom(unit)) {
        if (part.sequence() != winner.sequence() && taken.stream().noneMatch(part::isSameAs)) {
          taken.add(part);
          left = left.plus(part.amounts());
        }
      }
    }
    return new Taking(winner, taken, List.of(), ScarceResources.of(winner.amounts(), free()));
  }

  boolean fitsAfter(Taking taking) {
    Amounts left = free();
    for (TakingUnit unit : taking.taken()) {
      left = left.plus(unit.amounts());
    }
    return taking.winner().amounts().isAtMost(left);
  }

  private List<TakingUnit> partsFrom(TakingUnit unit) {
    return running.stream()
        .filter(other -> other.sequence() == unit.sequence() && other.part() >= unit.part())
        .sorted(Comparator.comparingInt(TakingUnit::part).reversed())
        .toList();
  }

  /** Returns a random taking for a unit that does not fit. */
  Taking anyTaking(TakingUnit winner, Random random) {
    List<TakingUnit> order = new ArrayList<>(running);
    Collections.shuffle(order, random);
    return taking(winner, order);
  }

  /** Returns the resources of a bit set. */
  static ScarceResources shortage(int bits) {
    TreeSet<Integer> resources = new TreeSet<>();
    for (int resource = 0; resource < 2; resource++) {
      if ((bits >> resource & 1) == 1) {
        resources.add(resource);
      }
    }
    return new ScarceResources(List.copyOf(resources));
  }

  static Arbitrary<Draft> drafts(int resources) {
    Arbitrary<List<Integer>> amounts = Arbitraries.integers().between(0, 5).list().ofSize(2);
    Arbitrary<QueueDraft> queues =
        Combinators.combine(amounts, Arbitraries.integers().between(0, 2)).as(QueueDraft::new);
    Arbitrary<JobDraft> jobs =
        Combinators.combine(
                Arbitraries.integers().between(0, LEAVES - 1),
                Arbitraries.integers().between(0, 3),
                Arbitraries.integers().between(1, 6).list().ofSize(2),
                Arbitraries.of(0, 0, 0, 1, 2),
                Arbitraries.of(0, 0, 0, 1),
                Arbitraries.of(false, false, false, false, false, true),
                Arbitraries.of(true, true, true, true, true, false))
            .as(JobDraft::new);
    Arbitrary<TakingRules> rules =
        Combinators.combine(Arbitraries.of(Reclaiming.class), Arbitraries.of(RankRule.class))
            .as(TakingRules::new);
    return Combinators.combine(
            queues.list().ofSize(LEAVES),
            Arbitraries.of(true, false),
            jobs.list().ofMinSize(4).ofMaxSize(12),
            Arbitraries.integers().between(4, 12).list().ofSize(resources),
            rules)
        .as(Draft::new);
  }
}
