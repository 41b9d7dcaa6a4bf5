package io.github.liquidscheduler.scheduler.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.queue.Reclaiming;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds of the turn order in any tree of queues, by every form of reclaim. */
class TurnOrderLaws {

  private static final int RESOURCES = 2;
  private static final long[] CAPACITY = {12, 16};

  /** A queue: guarantees, held amounts, weight, priority. */
  record QueueDraft(long gpus, long cores, long heldGpus, long heldCores, int weight, int first) {}

  /** A waiting job: leaf, rank, amounts. */
  record JobDraft(int leaf, long rank, long gpus, long cores) {}

  /** A tree of two levels, its waiting jobs, and the rules. */
  record Draft(
      List<QueueDraft> queues,
      int depth,
      List<JobDraft> jobs,
      Reclaiming form,
      boolean blocks,
      List<Integer> policyRanks) {

    /** Makes queues and jobs afresh, as after a restart. */
    World world() {
      List<SomeQueue> roots = new ArrayList<>();
      List<SomeQueue> leaves = new ArrayList<>();
      int index = 0;
      for (int i = 0; i < 3; i++) {
        SomeQueue root = new SomeQueue(index++, null, RESOURCES);
        roots.add(root);
        int children = i < depth ? 2 : 0;
        for (int child = 0; child < children; child++) {
          leaves.add(new SomeQueue(index++, root, RESOURCES));
        }
        if (children == 0) {
          leaves.add(root);
        }
      }
      for (int i = 0; i < leaves.size(); i++) {
        QueueDraft draft = queues.get(i);
        SomeQueue leaf = leaves.get(i);
        leaf.withGuarantee(draft.gpus, draft.cores)
            .withWeight(draft.weight)
            .withPriority(draft.first);
        leaf.hold(Amounts.of(draft.heldGpus, draft.heldCores), 1);
        leaf.want(Amounts.of(draft.heldGpus, draft.heldCores));
      }
      for (SomeQueue root : roots) {
        if (!root.children().isEmpty()) {
          root.withGuarantee(sum(root, 0), sum(root, 1));
        }
      }
      List<SomeJob> waiting = new ArrayList<>();
      for (int i = 0; i < jobs.size(); i++) {
        JobDraft draft = jobs.get(i);
        SomeQueue leaf = leaves.get(draft.leaf % leaves.size());
        SomeJob job = SomeJob.of("job " + i, leaf, i, draft.gpus, draft.cores).ranked(draft.rank);
        leaf.want(job.asks());
        waiting.add(job);
      }
      SomeQueue.divide(roots, CAPACITY);
      return new World(roots, waiting);
    }

    private static long sum(SomeQueue root, int resource) {
      return root.children().stream().mapToLong(child -> child.guaranteed(resource)).sum();
    }

    TurnOrder order() {
      SiblingOrder siblings =
          policyRanks.isEmpty()
              ? SiblingOrder.byShares(Amounts.of(CAPACITY))
              : SiblingOrder.byPolicy(queue -> policyRanks.get(queue.index() % policyRanks.size()));
      return TurnOrder.inTree(form, siblings, queue -> blocks);
    }
  }

  record World(List<SomeQueue> roots, List<SomeJob> jobs) {

    boolean fits(SomeJob job) {
      for (int resource = 0; resource < RESOURCES; resource++) {
        long held = 0;
        for (SomeQueue root : roots) {
          held += root.held(resource);
        }
        if (job.asks().get(resource) > CAPACITY[resource] - held) {
          return false;
        }
      }
      return true;
    }
  }

  @Provide
  Arbitrary<Draft> drafts() {
    Arbitrary<Long> amounts = Arbitraries.longs().between(0, 4);
    Arbitrary<QueueDraft> queues =
        Combinators.combine(
                amounts,
                amounts,
                amounts,
                amounts,
                Arbitraries.integers().between(0, 2),
                Arbitraries.of(0, 0, 1))
            .as(QueueDraft::new);
    Arbitrary<JobDraft> jobs =
        Combinators.combine(
                Arbitraries.integers().between(0, 5),
                Arbitraries.longs().between(0, 2),
                Arbitraries.longs().between(0, 6),
                Arbitraries.longs().between(0, 6))
            .as(JobDraft::new);
    return Combinators.combine(
            queues.list().ofSize(6),
            Arbitraries.integers().between(0, 3),
            jobs.list().ofMaxSize(9),
            Arbitraries.of(Reclaiming.class),
            Arbitraries.of(true, false),
            Arbitraries.integers().between(0, 2).list().ofMaxSize(4))
        .as(Draft::new);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void theOrderIsTotalAndIndependentOfTheOrderOfOffers(
      @ForAll("drafts") Draft draft, @ForAll long seed) {
    World world = draft.world();
    List<SomeJob> shuffled = new ArrayList<>(world.jobs());
    Collections.shuffle(shuffled, new Random(seed));

    List<SomeJob> sorted = draft.order().sorted(world.jobs());

    assertThat(sorted).containsExactlyInAnyOrderElementsOf(world.jobs());
    assertThat(draft.order().sorted(shuffled)).isEqualTo(sorted);
    if (!sorted.isEmpty()) {
      assertThat(draft.order().first(shuffled)).contains(sorted.getFirst());
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void theRestKeepsItsOrderOnceTheFirstAreGone(@ForAll("drafts") Draft draft) {
    World world = draft.world();
    List<SomeJob> sorted = draft.order().sorted(world.jobs());

    for (int from = 0; from < sorted.size(); from++) {
      List<SomeJob> rest = sorted.subList(from, sorted.size());
      assertThat(draft.order().sorted(rest)).isEqualTo(rest);
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void aRestartChangesNothing(@ForAll("drafts") Draft draft) {
    List<String> names = new ArrayList<>();
    draft.order().sorted(draft.world().jobs()).forEach(job -> names.add(job.name()));

    assertThat(draft.order().sorted(draft.world().jobs()))
        .extracting(SomeJob::name)
        .isEqualTo(names);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void equallyEntitledJobsOfOneQueueKeepTheirOrder(@ForAll("drafts") Draft draft) {
    TurnOrder order = draft.order();
    List<SomeJob> sorted = order.sorted(draft.world().jobs());

    for (int i = 0; i < sorted.size(); i++) {
      SomeJob one = sorted.get(i);
      for (SomeJob other : sorted.subList(i + 1, sorted.size())) {
        boolean areAlike = draft.blocks() || order.isEntitled(one) == order.isEntitled(other);
        if (one.queue().equals(other.queue()) && areAlike) {
          assertThat(TurnJob.IN_QUEUE.compare(one, other)).isNegative();
        }
      }
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void noJobBeyondItsShareIsPolledBeforeOneWithinItsShare(@ForAll("drafts") Draft draft) {
    TurnOrder order = draft.order();
    List<SomeJob> sorted = order.sorted(draft.world().jobs());

    for (int i = 0; i < sorted.size(); i++) {
      SomeJob job = sorted.get(i);
      List<SomeJob> rest = sorted.subList(i, sorted.size());
      if (!order.isEntitled(job)) {
        assertThat(rest)
            .filteredOn(other -> !draft.blocks() || isHead(other, rest))
            .noneMatch(order::isEntitled);
      }
    }
  }

  private static boolean isHead(SomeJob job, List<SomeJob> jobs) {
    return jobs.stream()
        .filter(other -> other.queue().equals(job.queue()))
        .allMatch(other -> TurnJob.IN_QUEUE.compare(job, other) <= 0);
  }

  /** Starts whatever fits, in turn, and looks at each start beyond a share. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void nothingStartsBeyondItsShareWhileAJobWithinItsShareFitsTheSameCapacity(
      @ForAll("drafts") Draft draft) {
    TurnOrder order = draft.order();
    World world = draft.world();
    List<SomeJob> ready = new ArrayList<>(world.jobs());

    order.poll(
        world.jobs(),
        job -> {
          boolean isStarted = world.fits(job);
          if (isStarted && !order.isEntitled(job)) {
            assertThat(ready)
                .filteredOn(order::isEntitled)
                .filteredOn(world::fits)
                .filteredOn(other -> !draft.blocks() || isHead(other, ready))
                .isEmpty();
          }
          ready.remove(job);
          if (isStarted) {
            job.queue().hold(job.asks(), 1);
          } else if (draft.blocks()) {
            ready.removeIf(other -> other.queue().equals(job.queue()));
          }
          return isStarted;
        });
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void aPolicyThatOrdersQueuesChangesNobodysShare(@ForAll("drafts") Draft draft) {
    TurnOrder byPolicy = draft.order();
    TurnOrder byTree =
        new Draft(
                draft.queues(),
                draft.depth(),
                draft.jobs(),
                draft.form(),
                draft.blocks(),
                List.of())
            .order();

    for (SomeJob job : draft.world().jobs()) {
      assertThat(byPolicy.isEntitled(job)).isEqualTo(byTree.isEntitled(job));
    }
  }
}
