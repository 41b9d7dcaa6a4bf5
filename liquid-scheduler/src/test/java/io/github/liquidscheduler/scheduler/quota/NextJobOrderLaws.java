package io.github.liquidscheduler.scheduler.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.order.Amounts;
import io.github.liquidscheduler.scheduler.order.SiblingOrder;
import io.github.liquidscheduler.scheduler.order.TurnJob;
import io.github.liquidscheduler.scheduler.order.TurnOrder;
import io.github.liquidscheduler.scheduler.order.TurnQueue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;

/**
 * Compares the order of next jobs with the turn order, in which one job after the other is polled.
 */
class NextJobOrderLaws {

  private static final int LEAVES = 5;
  private static final ClusterTopology CLUSTER =
      ClusterTopology.builder()
          .node(Node.builder("n").gpus(12, GpuModel.of("V100"), Memory.ofGib(16)).build())
          .build();

  /** A leaf in GPUs, and its next job; no job waits if that asks for none. */
  record LeafDraft(int guaranteed, int held, int asks, long rank) {}

  private record Queue(QueueAccount account) implements TurnQueue {

    @Override
    public int index() {
      return account.index();
    }

    @Override
    public @Nullable TurnQueue parent() {
      @Nullable QueueAccount parent = account.parent();
      return parent == null ? null : new Queue(parent);
    }

    @Override
    public int priority() {
      return account.priority();
    }

    @Override
    public long held(int resource) {
      return account.held(resource);
    }

    @Override
    public long share(int resource) {
      return account.share(resource);
    }

    @Override
    public long guaranteed(int resource) {
      return account.guaranteed(resource);
    }

    @Override
    public long limit(int resource) {
      return account.limit(resource);
    }
  }

  private record Job(NextJob next) implements TurnJob {

    @Override
    public TurnQueue queue() {
      return new Queue(next.queue());
    }

    @Override
    public long rank() {
      return next.rank();
    }

    @Override
    public long sequence() {
      return next.sequence();
    }

    @Override
    public Amounts asks() {
      return Amounts.of(next.charge().amounts());
    }
  }

  @Provide
  Arbitrary<List<LeafDraft>> leaves() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 4),
            Arbitraries.integers().between(0, 4),
            Arbitraries.integers().between(0, 4),
            Arbitraries.longs().between(0, 2))
        .as(LeafDraft::new)
        .list()
        .ofSize(LEAVES);
  }

  @Property
  void nextJobsAreInTheTurnOrderOfThePolicy(
      @ForAll("leaves") List<LeafDraft> drafts,
      @ForAll Reclaiming form,
      @ForAll @Size(3) List<@IntRange(max = 2) Integer> ranks) {
    QueueBooks books = new QueueBooks(tree(drafts).with(form), Instant.EPOCH);
    books.measure(ClusterState.of(CLUSTER));
    Map<QueueAccount, NextJob> next = new HashMap<>();
    for (int i = 0; i < LEAVES; i++) {
      LeafDraft draft = drafts.get(i);
      QueueAccount leaf = books.leaves().get(i);
      leaf.hold(gpus(draft.held()), true, 1);
      leaf.request(gpus(draft.held() + draft.asks()), 1);
      if (draft.asks() > 0) {
        next.put(leaf, new NextJob(leaf, gpus(draft.asks()), draft.rank(), i));
      }
    }

    QueueOrdering.arrangeBy(books, next::get, queue -> ranks.get(queue.index() % 3));

    List<QueueAccount> served = new ArrayList<>(next.keySet());
    served.sort(Comparator.comparingInt(QueueAccount::position));
    SiblingOrder byPolicy = SiblingOrder.byPolicy(queue -> ranks.get(queue.index() % 3));
    assertThat(served)
        .isEqualTo(
            TurnOrder.inTree(form, byPolicy, queue -> true)
                .sorted(next.values().stream().map(Job::new).toList())
                .stream()
                .map(job -> job.next().queue())
                .toList());
  }

  private static Charge gpus(int gpus) {
    return new Charge(new long[] {1000L * gpus});
  }

  /** Makes a tree of three roots, of which two have two children each. */
  private static QueueTree tree(List<LeafDraft> drafts) {
    List<QueueSpec> queues = new ArrayList<>();
    for (int leaf = 0; leaf < LEAVES; leaf++) {
      String root = "root " + leaf / 2;
      int own = drafts.get(leaf).guaranteed();
      if (leaf == LEAVES - 1) {
        queues.add(queue(root, own));
      } else {
        if (leaf % 2 == 0) {
          queues.add(queue(root, own + drafts.get(leaf + 1).guaranteed()));
        }
        queues.add(queue("leaf " + leaf, own).in(root));
      }
    }
    return QueueTree.of(queues);
  }

  private static QueueSpec queue(String name, int gpus) {
    return QueueSpec.named(name).with(QuotaResource.GPUS, QueueQuota.guaranteed(gpus));
  }
}
